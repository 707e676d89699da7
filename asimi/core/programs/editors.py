"""Editors, terminals, and what runs several screens in one.

From vim 9.0's and Neovim 0.10's `--help`, and the manuals of Emacs 28, GNU nano 7.2, GNU ed 1.19, Kakoune 2022, micro
2.0, joe 4.6, tmux 3.3a (`tmux list-commands`; 3.5 adds a few letters) and GNU Screen 4.9.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

EDITORS = (
    Program(
        "vim",
        aliases="ex gvim rvim vi view vimdiff gvimdiff gview rgvim rview evim",
        options=(
            "-AbCDdFfgHhLlMmNnOopRrXxyZv -0123456789 -T= -t= -q= --clean --echo-wid --help --literal "
            "--nofork --noplugin --not-a-term --role= --serverlist --servername= --socketid= --ttyfail "
            "--version"
        ),
        writes="-i= -V[=] -W= -w= --log= --startuptime=",
        runs="-c= -E -e -P= -S= -s -U= -u= --cmd= --gui-dialog-file= --remote* --windowid=",
        operands="PLUS*",
        syntax="exact",
        traits="embeds input wide writes",
        effects="read write code",
        can="code",
    ),
    Program(
        "nvim",
        options=("-AbdFHhLMmnOopRrv -0123456789 -t= -q= --clean --headless --help --literal --noplugin --version"),
        writes="-i= -V[=] -W= -w= --startuptime=",
        runs=("-c= -D -E -e -l= -S= -s= -u= --api-info --cmd= --embed --listen= --remote* --server="),
        operands="PLUS*",
        syntax="exact",
        traits="embeds input wide writes",
        effects="read write code",
        can="code",
    ),
    Program(
        "emacs",
        options=(
            "-Q,-quick -q,-no-init-file -no-site-file -nsl,-no-site-lisp -no-desktop -no-splash -debug-init "
            "-nw,-no-window-system -batch -kill -version -help -file= -find-file= -visit= -chdir= -insert= "
            "-T,-title= -name= -fn,-font= -g,-geometry= -bg= -fg= -color -D,-basic-display -mm,-maximized "
            "-fs,-fullscreen -nl"
        ),
        runs=(
            "-f,-funcall= -l,-load= -L,-directory= -eval= -execute= -e= -script= -x= -u,-user= -t,-terminal= "
            "-daemon[=] -bg-daemon -fg-daemon -init-directory= -xrm= -d,-display="
        ),
        operands="write*",
        syntax="words",
        traits="wide writes",
        effects="read write code",
        can="code",
    ),
    Program(
        "emacsclient",
        options=(
            "-c,--create-frame -n,--no-wait -t,-nw,--tty -q,--quiet -u,--suppress-output -r,--reuse-frame "
            "-V,--version -H,--help -F,--frame-parameters= -d,--display= -p,--parent-id= -w,--timeout= "
            "-T,--tramp="
        ),
        runs="-a,--alternate-editor= -e,--eval -f,--server-file= -s,--socket-name=",
        operands="read*",
        traits="wide",
        effects="read write code",
        can="code",
    ),
    Program("ed", aliases="red", operands="write*", traits="opaque wide writes", effects="read write code", can="code"),
    Program(
        "nano",
        aliases="rnano pico",
        options=(
            "-A,--smarthome -B,--backup -D,--boldtext -E,--tabstospaces -F,--multibuffer -G,--locking "
            "-H,--historylog -I,--ignorercfiles -J,--guidestripe= -K,--rawsequences -L,--nonewlines "
            "-M,--trimblanks -N,--noconvert -O,--bookstyle -P,--positionlog -Q,--quotestr= -R,--restricted "
            "-S,--softwrap -T,--tabsize= -U,--quickblank -V,--version -W,--wordbounds -X,--wordchars= "
            "-Y,--syntax= -Z,--zap -a,--atblanks -b,--breaklonglines -c,--constantshow -d,--rebinddelete "
            "-e,--emptyline -g,--showcursor -h,--help -i,--autoindent -j,--jumpyscrolling -k,--cutfromcursor "
            "-l,--linenumbers -m,--mouse -n,--noread -o,--operatingdir=enter -p,--preserve -q,--indicator "
            "-r,--fill= -t,--saveonexit -u,--unix -v,--view -w,--nowrap -x,--nohelp -y,--afterends "
            "-z,--listsyntaxes -!,--magic -%,--stateflags -_,--minibar -0,--zero"
        ),
        writes="-C,--backupdir=",
        runs="-f,--rcfile= -s,--speller=",
        operands="write*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "micro",
        options="-clean -options -debug -version -profile -help",
        runs="-config-dir= -plugin",
        operands="write*",
        syntax="words open",
        traits="writes",
        effects="read write code",
        can="writes",
    ),
    Program(
        "kak",
        options="-help -version -n -l -ro -q -clear -s= -i= -ui= -d",
        runs="-e= -E= -f= -c= -p=",
        operands="PLUS*",
        syntax="words",
        traits="input wide writes",
        effects="read write code",
        can="code",
    ),
    Program(
        "joe",
        aliases="jmacs jpico jstar rjoe",
        operands="write*",
        traits="wide writes",
        effects="read write code",
        can="writes",
    ),
    Program(
        "hx",
        aliases="helix",
        options="-vhV --vsplit --hsplit --help --version --tutor --health -w,--working-dir=enter",
        writes="--log=",
        runs="-c,--config= -g,--grammar=",
        operands="write*",
        syntax="exact",
        traits="writes",
        effects="read write code",
        can="writes",
    ),
    Program(
        "code",
        aliases="code-insiders codium cursor",
        options=(
            "-d,--diff -m,--merge -a,--add -g,--goto -n,--new-window -r,--reuse-window -w,--wait -h,--help "
            "-v,--version -s,--status!read --locale= --list-extensions!read --show-versions --category= "
            "--disable-extensions --disable-extension= --verbose --log= --disable-gpu --disable-telemetry "
            "--sync= --prof-startup --profile="
        ),
        runs=(
            "--user-data-dir= --extensions-dir= --install-extension= --uninstall-extension= "
            "--update-extensions --enable-proposed-api= --inspect-extensions= --inspect-brk-extensions= "
            "--remote= --folder-uri= --file-uri= --extensionDevelopmentPath= --extensionTestsPath= --add-mcp= "
            "--force --pre-release"
        ),
        operands="read*",
        syntax="exact",
        subcommands=(Program("tunnel", traits="opaque"), Program("serve-web", traits="opaque")),
        effects="read write code",
        can="code",
    ),
    Program(
        "subl",
        options=(
            "-n,--new-window -a,--add -w,--wait -b,--background -s,--stay -h,--help -v,--version --project= "
            "--launch-or-new-window"
        ),
        runs="--command=",
        operands="read*",
        syntax="exact",
        effects="read write code",
        can="writes",
    ),
)

SCREEN = Program(
    "screen",
    options="-aADdiLmnOqQUx46 -R,-RR -e= -h= -p= -S= -T= -t= -f,-fn,-fa -l,-ln",
    writes="-Logfile,--Logfile=",
    runs="-c= -s= -X",
    inert="-ls,-list!read -r -v -wipe,--wipe",
    syntax="exact",
    starts=Starts(optional=True),
    traits="interprets",
    effects="system",
    can="later",
)

# Each command of tmux with its options, and whether it takes something to run; `#(…)` and a `;` at the end of an
# argument run more, so every value is looked at.
_TMUX = (
    ("attach-session attach", "-dErx -cft=TMUX"),
    ("break-pane breakp", "-abdP -Fnst=TMUX"),
    ("capture-pane capturep", "-aCeJMNPqT -p!read -bESt=TMUX"),
    ("clear-history clearhist", "-H -t=TMUX"),
    ("clear-prompt-history clearphist", "-T=TMUX"),
    ("clock-mode", "-t=TMUX"),
    ("copy-mode", "-dDeHMqSu -st=TMUX"),
    ("delete-buffer deleteb", "-b=TMUX"),
    ("display-message display", "-aCINlpv -cdFt=TMUX"),
    ("find-window findw", "-CiNrTZ -t=TMUX"),
    ("has-session has", "-t=TMUX"),
    ("join-pane joinp", "-bdfhv -lst=TMUX"),
    ("kill-pane killp", "-a -t=TMUX"),
    ("kill-server", ""),
    ("kill-session", "-aC -t=TMUX"),
    ("kill-window killw", "-a -t=TMUX"),
    ("last-pane lastp", "-deZ -t=TMUX"),
    ("last-window last", "-t=TMUX"),
    ("link-window linkw", "-abdk -st=TMUX"),
    ("list-buffers lsb", "-Ff=TMUX"),
    ("list-clients lsc", "-Fft=TMUX"),
    ("list-commands lscm", "-F=TMUX"),
    ("list-keys lsk", "-1aN -PT=TMUX"),
    ("list-panes lsp", "-as -Fft=TMUX"),
    ("list-sessions ls", "-Ff=TMUX"),
    ("list-windows lsw", "-a -Fft=TMUX"),
    ("lock-client lockc", "-t=TMUX"),
    ("lock-session locks", "-t=TMUX"),
    ("move-pane movep", "-bdfhv -lst=TMUX"),
    ("move-window movew", "-abdkr -st=TMUX"),
    ("next-layout nextl", "-t=TMUX"),
    ("next-window next", "-a -t=TMUX"),
    ("previous-layout prevl", "-t=TMUX"),
    ("previous-window prev", "-a -t=TMUX"),
    ("rename-session rename", "-t=TMUX"),
    ("rename-window renamew", "-t=TMUX"),
    ("resize-pane resizep", "-DLMRTUZ -txy=TMUX"),
    ("resize-window resizew", "-aADLRU -txy=TMUX"),
    ("rotate-window rotatew", "-DUZ -t=TMUX"),
    ("select-layout selectl", "-Enop -t=TMUX"),
    ("select-pane selectp", "-DdeLlMmRUZ -Tt=TMUX"),
    ("select-window selectw", "-lnpT -t=TMUX"),
    ("show-buffer showb", "-b=TMUX"),
    ("show-environment showenv", "-ghs -t=TMUX"),
    ("show-hooks", "-gpw -t=TMUX"),
    ("show-messages showmsgs", "-JT -t=TMUX"),
    ("show-options show", "-AgHpqsvw -t=TMUX"),
    ("show-prompt-history showphist", "-T=TMUX"),
    ("show-window-options showw", "-gv -t=TMUX"),
    ("start-server start", ""),
    ("suspend-client suspendc", "-t=TMUX"),
    ("swap-pane swapp", "-dDUZ -st=TMUX"),
    ("swap-window swapw", "-d -st=TMUX"),
    ("switch-client switchc", "-ElnprZ -cOTt=TMUX"),
    ("unlink-window unlinkw", "-k -t=TMUX"),
    ("wait-for wait", "-LSU"),
)
_TMUX_STARTS = (
    ("new-session new", "-AdDEPX -cefFnstxy=TMUX"),
    ("new-window neww", "-abdkPS -ceFnt=TMUX"),
    ("split-window splitw", "-bdfhIPvZ -ceFlt=TMUX"),
    ("respawn-pane respawnp", "-k -cet=TMUX"),
    ("respawn-window respawnw", "-k -cet=TMUX"),
    ("display-popup popup", "-BCEN -bcdehsStTwxy=TMUX"),
    ("run-shell run", "-bC -cdt=TMUX"),
    ("pipe-pane pipep", "-IOo -t=TMUX"),
    ("if-shell if", "-bF -t=TMUX"),
)
_TMUX_LOOKS = ("display-message", "has-", "list-", "show-")
"""Beginnings of the names of those that only look."""

TMUX = Program(
    "tmux",
    options="-2CDluvN -V!none -L= -S= -T= -h",
    runs="-c= -f=",
    syntax="brief exact",
    subcommands=(
        *(
            Program(
                names.split()[0],
                aliases=" ".join(names.split()[1:]),
                options=options,
                operands="TMUX*",
                effects="read" if names.startswith(_TMUX_LOOKS) else "system",
            )
            for names, options in _TMUX
        ),
        *(
            Program(
                names.split()[0],
                aliases=" ".join(names.split()[1:]),
                options=options,
                starts=Starts(optional=True, lone=True),
                traits="opaque",
                effects="system",
            )
            for names, options in _TMUX_STARTS
        ),
    ),
    others=Program("", traits="opaque"),
    traits="interprets",
    effects="system",
    can="ends: kill-server, kill-session; later",
)

_GIVEN = Starts(anywhere=True)
TERMINALS = (
    *(
        Program(name, starts=_GIVEN, effects="none", can="later")
        for name in ("xterm", "uxterm", "rxvt", "urxvt", "konsole", "terminator", "x-terminal-emulator", "st", "foot")
    ),
    *(
        Program(name, starts=_GIVEN, effects="system", can="later")
        for name in ("gnome-terminal", "xfce4-terminal", "alacritty", "kitty", "wezterm", "ghostty", "byobu", "zellij")
    ),
    Program(
        "lf",
        options="-doc -help -server -single -version",
        writes="-cpuprofile= -last-dir-path= -log= -memprofile= -selection-path=",
        runs="-command= -config= -remote=",
        operands="read*",
        syntax="words",
        traits="wide",
        effects="read write code",
        can="code",
    ),
    Program(
        "ranger",
        options="-d,--debug -h,--help --list-unused-keys --profile -r= --show-only-dirs -v,--version",
        writes="--cachedir= --choosedir= --choosefile= --choosefiles= --copy-config=",
        runs="-c,--clean --cmd= --confdir= --datadir= --list-tagged-files= --selectfile=",
        operands="read*",
        traits="wide",
        effects="read write code",
        can="code",
    ),
)
"""Terminals that start what their arguments say, and file managers that run commands of their own."""

PROGRAMS = (*EDITORS, SCREEN, TMUX, *TERMINALS)

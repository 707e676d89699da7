"""Programs that work on files as such: copy, move, remove, link, archive, look for them.

Sources: the manuals of GNU coreutils 9.1, findutils 4.9, tar 1.34, cpio 2.13, gzip 1.12 and patch 2.7, util-linux 2.38,
file 5.44, tree 2.1, bsdtar 3.6, Info-ZIP zip 3.0 and unzip 6.0, 7-Zip 26, rsync 3.5, zstd 1.5, sshfs 3.7, rename 2.01
and pv 1.6; the source of fd 10.4.
"""

from __future__ import annotations

from asimi.core.programs.program import Program

_OWNERS = (
    "-c,--changes -f,--silent,--quiet -v,--verbose --dereference -h,--no-dereference --from= "
    "--no-preserve-root --preserve-root --reference=read -HLP -R,--recursive"
)
_BACKUP = "-b --backup[=] -S,--suffix= -v,--verbose -T,--no-target-directory -t,--target-directory=write"
_DESTINATION = "read* write|-t|--target-directory"
_NEWER = " ".join(f"-newer{one}{other}=" for one in "aBcm" for other in "aBcmt")
_LS = (
    "-a,--all -A,--almost-all --author -b,--escape --block-size= -B,--ignore-backups "
    "-cCfglmopqrsStuUvxX1 --color[=] -d,--directory -D,--dired -F,--classify[=] --file-type --format= "
    "--full-time --group-directories-first -G,--no-group -h,--human-readable --si "
    "-H,--dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink[=] "
    "--indicator-style= -i,--inode -I,--ignore= -k,--kibibytes -L,--dereference -n,--numeric-uid-gid "
    "-N,--literal --hide-control-chars --show-control-chars -Q,--quote-name --quoting-style= --reverse "
    "-R,--recursive --size --sort= --time= --time-style= -T,--tabsize= -w,--width= -Z,--context --zero"
)

PROGRAMS = (
    Program(
        "basename",
        options="-a,--multiple -s,--suffix= -z,--zero",
        operands="data*",
        traits="looks",
        effects="none",
        can="reads",
    ),
    Program(
        "cp",
        options=(
            f"{_BACKUP} -a,--archive --attributes-only --copy-contents --debug -d -f,--force -i,--interactive -H "
            "-l,--link -L,--dereference -n,--no-clobber -P,--no-dereference -p --preserve[=] --no-preserve= "
            "--parents -r,-R,--recursive --reflink[=] --remove-destination --sparse= --strip-trailing-slashes "
            "-s,--symbolic-link -u,--update[=] -x,--one-file-system -Z --context[=]"
        ),
        operands=_DESTINATION,
        traits="interprets moves wide",
        effects="read write",
        can="writes",
    ),
    Program("dirname", options="-z,--zero", operands="data*", traits="looks", effects="none", can="reads"),
    Program(
        "ln",
        options=(
            f"{_BACKUP} -d,-F,--directory -f,--force -i,--interactive -L,--logical -n,--no-dereference "
            "-P,--physical -r,--relative -s,--symbolic"
        ),
        operands=_DESTINATION,
        traits="interprets moves wide",
        effects="write",
        can="writes",
    ),
    Program("link", operands="read write", traits="interprets moves", effects="write", can="writes"),
    Program("ls", aliases="dir vdir", options=_LS, operands="look*", traits="feeds looks", effects="read", can="reads"),
    Program(
        "eza",
        aliases="exa lsd",
        options=(
            "-1,--oneline -G,--grid -l,--long -R,--recurse -T,--tree -X,--dereference -x,--across"
            " -F,--classify[=] --color,--colour[=] --color-scale,--colour-scale[=]"
            " --color-scale-mode,--colour-scale-mode= --icons[=] --no-quotes --hyperlink --absolute[=] -w,--width="
            " -a,--all -A,--almost-all -d,--list-dirs,--treat-dirs-as-files -D,--only-dirs -f,--only-files"
            " --show-symlinks --no-symlinks -L,--level= -r,--reverse -s,--sort= --group-directories-first"
            " --group-directories-last -I,--ignore-glob= --git-ignore -b,--binary -B,--bytes -g,--group"
            " --smart-group -h,--header -H,--links -i,--inode -M,--mounts -n,--numeric -O,--flags -S,--blocksize"
            " -t,--time= -m,--modified -u,--accessed -U,--created --changed --time-style= --total-size"
            " --no-permissions -o,--octal-permissions --no-filesize --no-user --no-time --git --no-git --git-repos"
            " --git-repos-no-status -@,--extended -Z,--context -v,--version -?,--help"
        ),
        operands="look*",
        traits="feeds looks",
        effects="read",
        can="reads",
    ),
    Program(
        "mkdir",
        options="-m,--mode=MODE -p,--parents -v,--verbose -Z --context[=]",
        operands="write*",
        traits="writes",
        effects="write",
        can="writes",
    ),
    Program(
        "mkfifo",
        options="-m,--mode=MODE -Z --context[=]",
        operands="write*",
        traits="writes",
        effects="write",
        can="writes",
    ),
    Program(
        "mknod",
        options="-m,--mode=MODE -Z --context[=]",
        operands="write NODE data*",
        traits="writes",
        effects="write",
        can="writes",
    ),
    Program(
        "mktemp",
        options="-d,--directory -u,--dry-run!none>data -q,--quiet --suffix= -p=write --tmpdir[=write] -t",
        operands="write",
        traits="writes",
        effects="write",
        can="writes",
    ),
    Program(
        "mv",
        options=(
            f"{_BACKUP} --debug --exchange -f,--force -i,--interactive -n,--no-clobber --no-copy "
            "--strip-trailing-slashes -u,--update[=] -Z,--context"
        ),
        operands="move* write|-t|--target-directory",
        traits="moves wide",
        effects="write",
        can="writes",
    ),
    Program(
        "readlink",
        options=(
            "-f,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -n,--no-newline -q,--quiet "
            "-s,--silent -v,--verbose -z,--zero"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "realpath",
        options=(
            "-e,--canonicalize-existing -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet "
            "--relative-to=look --relative-base=look -s,--strip,--no-symlinks -z,--zero"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "namei",
        options=(
            "-l,--long -m,--modes -n,--nosymlinks -o,--owners -v,--vertical -x,--mountpoints -Z,--context -h,--help "
            "-V,--version"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "rm",
        options=(
            "-f,--force -iI --interactive[=] --one-file-system --no-preserve-root --preserve-root[=] "
            "-r,-R,--recursive -d,--dir -v,--verbose"
        ),
        operands="delete*",
        traits="moves wide",
        effects="delete",
        can="deletes",
    ),
    Program(
        "rmdir",
        options="--ignore-fail-on-non-empty -p,--parents -v,--verbose",
        operands="delete*",
        traits="moves wide",
        effects="delete",
        can="deletes",
    ),
    Program(
        "touch",
        options="-a -c,--no-create -d,--date= -f -h,--no-dereference -m -r,--reference=read -t= --time=",
        operands="write*",
        traits="writes",
        effects="write",
        can="writes",
    ),
    Program(
        "truncate",
        options="-c,--no-create -o,--io-blocks -r,--reference=read -s,--size=",
        operands="write*",
        traits="wide writes",
        effects="delete",
        can="deletes",
    ),
    Program(
        "fallocate",
        options=(
            "-c,--collapse-range+delete -d,--dig-holes -i,--insert-range -l,--length= -n,--keep-size -o,--offset= "
            "-p,--punch-hole+delete -z,--zero-range+delete -x,--posix -v,--verbose"
        ),
        operands="write",
        traits="writes",
        effects="write",
        can="writes",
    ),
    Program("unlink", operands="delete", traits="moves wide", effects="delete", can="deletes"),
    Program(
        "shred",
        aliases="srm",
        options=(
            "-f,--force -n,--iterations= --random-source=read -s,--size= -u --remove[=] -v,--verbose -x,--exact "
            "-z,--zero"
        ),
        operands="delete*",
        traits="moves wide",
        effects="delete",
        can="deletes",
    ),
    Program("trash", aliases="trash-put", operands="delete*", traits="moves", effects="delete", can="deletes"),
    Program("trash-empty", aliases="trash-rm", traits="moves", effects="delete", can="deletes"),
    Program("trash-list", traits="looks", effects="read", can="reads"),
    Program("trash-restore", traits="moves", effects="write", can="writes"),
    Program(
        "rename",
        aliases="prename file-rename",
        options=(
            "-0,--null -a,--all -d,--filename,--nopath,--nofullpath -f,--force -h,-?,--help!none -i,--interactive "
            "-l,--last -m,--man!none -n,--no-act,--nono!read>look -o,--no-overwrite --path,--fullpath -s,--symlink "
            "-v,--verbose -V,--version!none"
        ),
        runs="-e=RENAME -E=RENAME -u --unicode",
        operands="RENAME|-e|-E move*",
        syntax="ends",
        traits="moves",
        effects="write",
        can="writes",
    ),
    Program(
        "install",
        options=(
            f"{_BACKUP} -cD -C,--compare -d,--directory --debug -g,--group= -m,--mode=MODE -o,--owner= "
            "-p,--preserve-timestamps -s,--strip --preserve-context -Z --context[=] --help --version"
        ),
        runs="--strip-program=",
        operands=_DESTINATION,
        traits="interprets moves",
        effects="read write",
        can="permissions: -m; writes",
    ),
    Program(
        "chmod",
        options=(
            "-c,--changes -f,--silent,--quiet -v,--verbose --no-preserve-root --preserve-root --reference=read+system "
            "-R,--recursive -rwxXst"
        ),
        operands="MODE|--reference|-r|-w|-x|-X|-s|-t write*",
        traits="moves wide",
        effects="write",
        can="permissions",
    ),
    Program(
        "chown",
        options=_OWNERS,
        operands="data|--reference write*",
        traits="moves wide",
        effects="write",
        can="permissions",
    ),
    Program(
        "chgrp", options=_OWNERS, operands="data|--reference write*", traits="moves", effects="write", can="permissions"
    ),
    Program(
        "chattr", options="-RVf -v= -p=", operands="data write*", traits="moves", effects="write", can="permissions"
    ),
    Program("lsattr", options="-RVadlvp", operands="look*", traits="looks", effects="read", can="reads"),
    Program(
        "setfacl",
        options=(
            "-m,--modify= -M,--modify-file=read -x,--remove= -X,--remove-file=read -b,--remove-all "
            "-k,--remove-default --set= --set-file=read --mask -n,--no-mask -d,--default -R,--recursive "
            "-L,--logical -P,--physical --restore=read --test!read>look"
        ),
        operands="write*",
        traits="moves",
        effects="write",
        can="permissions",
    ),
    Program(
        "getfacl",
        options=(
            "-a,--access -d,--default -c,--omit-header -e,--all-effective -E,--no-effective -s,--skip-base "
            "-R,--recursive -L,--logical -P,--physical -t,--tabular -p,--absolute-names -n,--numeric "
            "-1,--one-file-system -v,--version -h,--help"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "chcon",
        options=(
            "--dereference -h,--no-dereference -u,--user= -r,--role= -t,--type= -l,--range= --no-preserve-root "
            "--preserve-root --reference=read -R,--recursive -v,--verbose -HLP"
        ),
        operands="data|-u|-r|-t|-l|--reference write*",
        traits="moves",
        effects="write",
        can="permissions",
    ),
    Program("restorecon", traits="moves", can="permissions"),
    Program(
        "setcap", options="-qrv -n=", operands="data write*", traits="moves", effects="write system", can="permissions"
    ),
    Program("getcap", options="-hnrv", operands="look*", traits="looks", effects="read", can="reads"),
    Program(
        "dd",
        options=(
            "if=read bs= ibs= obs= cbs= count= skip= iseek= seek= oseek= conv= iflag= oflag= status= --help --version"
        ),
        writes="of=NOWHERE",
        syntax="keys",
        traits="wide writes",
        effects="read",
        can="disk: of=/dev/*; writes",
    ),
    Program(
        "stat",
        options="-L,--dereference -f,--file-system --cached= -c,--format= --printf= -t,--terse",
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "du",
        options=(
            "-0,--null -a,--all --apparent-size -A -B,--block-size= -b,--bytes -c,--total -D,--dereference-args "
            "-d,--max-depth= --files0-from=read -Hkm -l,--count-links -h,--human-readable --inodes "
            "-L,--dereference -P,--no-dereference -S,--separate-dirs --si -s,--summarize -t,--threshold= "
            "--time[=] --time-style= -X,--exclude-from=read --exclude= -x,--one-file-system"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "df",
        options=(
            "-a,--all -B,--block-size= -h,--human-readable -H,--si -i,--inodes -k -l,--local --no-sync "
            "--output[=] -P,--portability --sync --total -t,--type= -T,--print-type -x,--exclude-type= -v"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "duf",
        options=(
            "--all --avail-threshold= --hide= --hide-fs= --hide-mp= --inodes --json --only= --only-fs= --only-mp= "
            "--output= --sort= --style= --theme= --usage-threshold= --version --warnings --width="
        ),
        operands="look*",
        syntax="exact",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "file",
        options=(
            "-v,--version -m,--magic-file=read -z,--uncompress -Z,--uncompress-noreport -b,--brief "
            "-c,--checking-printout -e,--exclude= --exclude-quiet= -f,--files-from=read -F,--separator= "
            "-i,--mime --apple --extension --mime-type --mime-encoding -k,--keep-going -l,--list "
            "-L,--dereference -h,--no-dereference -n,--no-buffer -N,--no-pad -0,--print0 -p,--preserve-date "
            "-P,--parameter= -r,--raw -s,--special-files -S,--no-sandbox -d,--debug --help -EI"
        ),
        writes="-C,--compile",
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "find",
        options=(
            "-- -exec=COMMAND -execdir=COMMAND -ok=COMMAND -okdir=COMMAND -H -L -P -E -X -s -x -f=read -D= -O* -a "
            "-and -o -or -not -d -daystart -depth -empty -executable -false -files0-from=read -follow -fstype= "
            "-gid= -group= -ignore_readdir_race -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= "
            f"-lname= -ls -maxdepth= -mindepth= -mount -name= -newer= {_NEWER} -nogroup -noignore_readdir_race "
            "-noleaf -nouser -nowarn -path= -perm= -print -print0 -printf= -prune -quit -readable -regex= "
            "-regextype= -samefile= -size= -true -type= -uid= -used= -user= -warn -wholename= -writable -xdev "
            "-xtype= -amin= -anewer= -atime= -cmin= -cnewer= -ctime= -mmin= -mtime= -Bmin= -Bnewer= -Btime= "
            "-mnewer= -flags= -context= -help --help -version --version"
        ),
        writes="-delete+delete -fprint=NOWHERE -fprint0=NOWHERE -fprintf=NOWHERE -fls=NOWHERE",
        operands="look*",
        syntax="words",
        traits="feeds moves",
        effects="read",
        can="deletes: -delete; reads",
    ),
    Program(
        "fd",
        aliases="fdfind",
        options=(
            "-x,--exec=COMMAND -X,--exec-batch=COMMAND -H,--hidden -I,--no-ignore -u,--unrestricted "
            "-s,--case-sensitive -i,--ignore-case -g,--glob --regex -F,--fixed-strings,--literal --exact --and= "
            "-a,--absolute-path -l,--list-details -L,--follow -p,--full-path -0,--print0 "
            "-d,--max-depth,--maxdepth= --min-depth= --exact-depth= -E,--exclude= --prune -t,--type= "
            "-e,--extension= -S,--size= --changed-within= --changed-after= --newer= --changed-before= --older= "
            "-o,--owner= --format= --batch-size= --ignore-file=read -c,--color= --hyperlink[=] "
            "--ignore-contain= -j,--threads= --max-buffer-time= --max-results= -1 -q,--quiet --show-errors "
            "-C,--base-directory=enter --path-separator= --search-path= --strip-cwd-prefix[=] "
            "--one-file-system,--mount,--xdev --gen-completions[=]"
        ),
        operands="data look*",
        syntax="exact no",
        traits="feeds moves",
        effects="read",
        can="deletes: -X rm; reads",
    ),
    Program(
        "locate",
        aliases="plocate mlocate",
        options=(
            "-A,--all -b,--basename -c,--count -d,--database=read -e,--existing -i,--ignore-case -l,-n,--limit= "
            "-S,--statistics -0,--null -r,--regexp= --regex -w,--wholename -q,--quiet -N,--literal -P,--nofollow,-H "
            "-L,--follow -h,--help -V,--version"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "which",
        options=(
            "-a,--all -s --skip-alias --skip-dot --show-dot --show-tilde --tty-only -i,--read-alias --skip-functions "
            "--read-functions -v,-V,--version --help"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("whereis", options="-bfglmsu -B -M -S", operands="data*", traits="looks", effects="read", can="reads"),
    Program(
        "tree",
        options=(
            "-adflnxpqsghuiACDFJNQSUXtcrv -H= -I= -L= -P= -T= --gitignore --gitfile=read --ignore-case "
            "--matchdirs --metafirst --prune --info --infofile=read --noreport --charset= --filelimit= --si "
            "--du --timefmt= --inodes --device --dirsfirst --filesfirst --sort= --nolinks --hintro=read "
            "--houtro=read --fromfile --fromtabfile --fflinks --opt-toggle --hyperlink --scheme= --authority= "
            "--compress= --acl --selinux --version --help"
        ),
        writes="-o=NOWHERE -R",
        operands="look*",
        syntax="apart exact",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "tar",
        options=(
            "-A,--catenate,--concatenate!read+write -c,--create!read+write --delete!read+write>data "
            "-d,--diff,--compare!read -r,--append!read+write --test-label!read>data -t,--list!read>data "
            "-u,--update!read+write -x,--extract,--get!read+write>write --check-device -G,--incremental "
            "--hole-detection= --ignore-failed-read "
            "--level= --no-check-device --no-seek -n,--seek --occurrence[=] --sparse-version= -S,--sparse "
            "--add-file=read -C,--directory=enter --exclude= --exclude-backups --exclude-caches --exclude-caches-all "
            "--exclude-caches-under --exclude-ignore= --exclude-ignore-recursive= --exclude-tag= --exclude-tag-all= "
            "--exclude-tag-under= --exclude-vcs --exclude-vcs-ignores --no-null --no-recursion --no-unquote "
            "--no-verbatim-files-from --null --recursion -T,--files-from=read --unquote --verbatim-files-from "
            "-X,--exclude-from=read --anchored --ignore-case --no-anchored --no-ignore-case --no-wildcards "
            "--no-wildcards-match-slash --wildcards --wildcards-match-slash --keep-directory-symlink "
            "--keep-newer-files -k,--keep-old-files --no-overwrite-dir --one-top-level[=] --overwrite --overwrite-dir "
            "--recursive-unlink --skip-old-files -U,--unlink-first -W,--verify --ignore-command-error "
            "--no-ignore-command-error -O,--to-stdout --atime-preserve[=] --clamp-mtime --delay-directory-restore "
            "--group= --group-map=read --mode= --mtime= -m,--touch --no-delay-directory-restore --no-same-owner "
            "--no-same-permissions --numeric-owner --owner= --owner-map=read "
            "-p,--preserve-permissions,--same-permissions --same-owner --sort= -s,--preserve-order,--same-order "
            "--acls --no-acls --no-selinux --no-xattrs --selinux --xattrs --xattrs-exclude= --xattrs-include= "
            "--force-local -f,--file=ARCHIVE -L,--tape-length= -M,--multi-volume -b,--blocking-factor= "
            "-B,--read-full-records -i,--ignore-zeros --record-size= -H,--format= --old-archive,--portability "
            "--pax-option= --posix -V,--label= -a,--auto-compress -j,--bzip2 -J,--xz --lzip --lzma --lzop "
            "--no-auto-compress --zstd -z,--gzip,--gunzip,--ungzip -Z,--compress,--uncompress --backup[=] "
            "--hard-dereference -h,--dereference -K,--starting-file= --newer-mtime= -N,--newer,--after-date= "
            "--one-file-system -P,--absolute-names+system --suffix= --strip-components= --transform,--xform= "
            "--checkpoint[=] "
            "--full-time -l,--check-links --no-quote-chars= --quote-chars= --quoting-style= -R,--block-number "
            "--show-defaults!none --show-omitted-dirs --show-snapshot-field-ranges "
            "--show-transformed-names,--show-stored-names --totals[=] --utc -v,--verbose --warning= "
            "-w,--interactive,--confirmation -o -?,--help!none --restrict --usage!none --version!none "
            "--disable-copyfile --mac-metadata --no-mac-metadata --no-fflags --uid= --gid= --uname= --gname="
        ),
        writes="-g,--listed-incremental=NOWHERE --index-file=NOWHERE --volno-file= --remove-files+delete",
        runs=(
            "-F,--info-script,--new-volume-script= -I,--use-compress-program=COMPRESSOR "
            "--checkpoint-action=CHECKPOINT --to-command= --rmt-command= --rsh-command="
        ),
        operands="read*",
        syntax="bundle",
        traits="moves",
        can="writes",
    ),
    Program(
        "bsdtar",
        options=(
            "-c,--create!read+write -r,--append!read+write -t,--list!read>data -u,--update!read+write "
            "-x,--extract!read+write>write -a,--auto-compress --acls --no-acls -B,--read-full-blocks -b,--block-size= "
            "-C,--cd,--directory=enter --chroot --clear-nochange-fflags --exclude= --exclude-vcs --fflags --no-fflags "
            "--format= -f,--file=ARCHIVE --gid= --gname= -H -h -I,-T,--files-from=read --help!none --hfsCompression "
            "--nopreserveHFSCompression --ignore-zeros --include= -J,--xz -j,--bzip,--bzip2,--bunzip2 "
            "-k,--keep-old-files --keep-newer-files -L,--dereference -l,--check-links --lrzip --lz4 --zstd --lzma "
            "--lzop --lzip --grzip --b64encode --uuencode -m,--modification-time --mac-metadata --no-mac-metadata "
            "--disable-copyfile -n,--norecurse,--no-recursion --newer= --newer-mtime= --newer-than= "
            "--newer-mtime-than= --older= --older-mtime= --older-than= --older-mtime-than= --nodump --null "
            "--no-read-sparse --read-sparse --no-safe-writes --safe-writes --no-same-owner --same-owner "
            "--no-same-permissions --no-xattrs --xattrs --numeric-owner -O,--to-stdout -o --one-file-system "
            "--options= -P,--absolute-paths+system -p,--insecure,--preserve-permissions --passphrase= --posix "
            "-q,--fast-read "
            "-S -s= --strip-components= --totals -U,--unlink,--unlink-first --uid= --uname= -v,--verbose "
            "--version!none -w,--confirmation,--interactive -X,--exclude-from=read -y -Z,--compress,--uncompress "
            "-z,--gunzip,--gzip"
        ),
        runs="--use-compress-program=COMPRESSOR",
        operands="read*",
        syntax="bundle",
        traits="moves",
        can="writes",
    ),
    Program(
        "cpio",
        options=(
            "-i,--extract!read+write+system>write -o,--create!read+write -p,--pass-through!read+write>write "
            "-t,--list!read --block-size= "
            "-B -c -C,--io-size= -D,--directory=enter --force-local -H,--format= --quiet -R,--owner= -v,--verbose "
            "-V,--dot -W,--warning= -F,--file=ARCHIVE -M,--message= -b,--swap -f,--nonmatching -I=ARCHIVE "
            "-n,--numeric-uid-gid -r,--rename -s,--swap-bytes -S,--swap-halfwords --to-stdout -E,--pattern-file=read "
            "--only-verify-crc -A,--append --device-independent,--reproducible --ignore-devno -O=ARCHIVE "
            "--renumber-inodes -l,--link --absolute-filenames --no-absolute-filenames -0,--null "
            "-a,--reset-access-time -L,--dereference -d,--make-directories -m,--preserve-modification-time "
            "--no-preserve-owner --sparse -u,--unconditional -?,--help --usage --version"
        ),
        runs="--rsh-command=",
        operands="data*",
        traits="moves",
        can="writes",
    ),
    Program(
        "gzip",
        aliases="gunzip pigz unpigz compress uncompress",
        options=(
            "-b,--blocksize= -c,--stdout!read>read -d,--decompress -f,--force -k,--keep -l,--list!read>read "
            "-n,--no-name -N,--name -p,--processes= -q,--quiet -r,--recursive -S,--suffix= -t,--test!read>read "
            "-v,--verbose"
        ),
        operands="write*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "bzip2",
        aliases="bunzip2",
        options=(
            "-z,--compress -d,--decompress -c,--stdout!read>read -f,--force -k,--keep -t,--test!read>read -q,--quiet "
            "-v,--verbose -s,--small -123456789 --fast --best -h,--help!none -L,--license!none -V,--version!none"
        ),
        operands="write*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "xz",
        aliases="unxz lzma unlzma",
        options=(
            "-C,--check= -F,--format= -M,--memlimit= -S,--suffix= -T,--threads= --block-list= --block-size= "
            "--files[=read] --files0[=read]"
        ),
        operands="write*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "zstd",
        aliases="unzstd zstdmt zstdcat lz4 unlz4 lz4cat lzip brotli",
        options=(
            "-D=read -M= -o=write --filelist=read --output-dir-flat=write --output-dir-mirror=write --patch-from=read"
        ),
        operands="write*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "zcat",
        aliases="gzcat bzcat xzcat lzcat",
        options="-S= -fv",
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        # Of zip's options of two letters, those are missing that would be read as two options in a bundle.
        "zip",
        options=(
            "-@ -$ -0123456789ADFJRUVXcdefhjkoqruvwyz -FF -FS,--filesync -DF,--difference-archive "
            "-MM,--must-match -L,--license --help -h2,--more-help -P,--password= -Z,--compression-method= "
            "-b,--temp-path=write -i,--include[=] -x,--exclude[=] -n,--suffixes= -t,--from-date= "
            "-tt,--before-date= -s,--split-size= -sb -sc -sd -sf -so -sp -su -sU -sv -dd -db -dc -dg -ds= -du "
            "-dv,--display-volume -ic,--ignore-case -nw,--no-wild -ws,--wild-stop-dirs -UN= -X- --recurse-paths "
            "--recurse-patterns --junk-paths --quiet --verbose --encrypt --update --freshen --delete --symlinks --grow "
            "--copy-entries --copy --latest-time --no-dir-entries --no-extra --fix --fixfix --show-files "
            "--out,--output-file=write --version"
        ),
        writes="-m,--move+delete -lf,--logfile-path= -la,--log-append -li,--log-info",
        runs="-T,--test -TT,--unzip-command=",
        operands="write read*",
        syntax="exact",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "unzip",
        options=(
            "-d=write -I= -O= -P= -l!read -t!read -v!read -Z!read -p!read -c!read -z!read -f -u -x "
            "-aBbCDjKLMnoqUVWXy:^ -h!none"
        ),
        operands="read data*",
        traits="moves",
        effects="read write",
        can="writes",
    ),
    Program("zipinfo", options="-12chlMmstTvzZ -x", operands="read data*", traits="looks", effects="read", can="reads"),
    Program("unrar", traits="moves", can="writes"),
    Program(
        "7z",
        aliases="7za 7zr 7zz p7zip",
        options=(
            "-ai* -an -ao* -ax* -bb* -bd -bs* -bt -i* -m* -o* -p* -r -r- -r0 -sa* -scc* -scrc* -scs* -sfx* -si* "
            "-slp -slt -snh -sni -snl -sns -sns- -so -spd -spe -spf* -ssc -ssc- -sse -ssp -ssw -stl -stm* -stx* "
            "-t* -u* -v* -w* -x* -y"
        ),
        writes="-sdel",
        runs="-seml*",
        operands="data write read*",
        syntax="words",
        traits="moves",
        can="writes",
    ),
    Program(
        "rsync",
        options=(
            "-v,--verbose --info= --debug= --stderr= -q,--quiet --motd -c,--checksum -a,--archive "
            "-r,--recursive --inc-recursive,--i-r -R,--relative --implied-dirs -b,--backup --backup-dir=write "
            "--suffix= -u,--update --inplace --append --append-verify -d,--dirs --old-dirs,--old-d --mkpath "
            "-l,--links -L,--copy-links --copy-unsafe-links --safe-links --munge-links -k,--copy-dirlinks "
            "-K,--keep-dirlinks -H,--hard-links -p,--perms -E,--executability --chmod=MODE -A,--acls -X,--xattrs "
            "-o,--owner -g,--group --devices --copy-devices --specials -D -t,--times -U,--atimes --open-noatime "
            "-N,--crtimes -O,--omit-dir-times -J,--omit-link-times --super --fake-super -S,--sparse "
            "--preallocate -n,--dry-run -W,--whole-file --checksum-choice,--cc= -x,--one-file-system "
            "-B,--block-size= --existing,--ignore-non-existing --ignore-existing --ignore-missing-args "
            "--ignore-errors --force --max-delete= --max-size= --min-size= --max-alloc= --partial "
            "--partial-dir=write --delay-updates -m,--prune-empty-dirs --numeric-ids --usermap= --groupmap= --chown= "
            "--timeout= --contimeout= -I,--ignore-times --size-only -@,--modify-window= -T,--temp-dir=write "
            "-y,--fuzzy --compare-dest=read --copy-dest=read --link-dest=read -z,--compress "
            "--compress-choice,--zc= --compress-level,--zl= --compress-threads,--zt= --skip-compress= "
            "-C,--cvs-exclude -f,--filter= -F --exclude= --exclude-from=read --include= --include-from=read "
            "--files-from=read -0,--from0 --old-args -s,--secluded-args,--protect-args --trust-sender "
            "--copy-as= --address= --port= --sockopts= --blocking-io --outbuf= --stats -8,--8-bit-output "
            "-h,--human-readable --progress -P -i,--itemize-changes --out-format= --log-format= "
            "--log-file-format= --password-file=read --early-input=read --list-only --bwlimit= "
            "--stop-after,--time-limit= --stop-at= --fsync --read-batch=read --protocol= --iconv= "
            "--checksum-seed= -4,--ipv4 -6,--ipv6 -V,--version --help --confine-root= --insecure-links --no-D "
            "--no-H --no-W"
        ),
        writes=(
            "--log-file=NOWHERE --remove-source-files+delete --del,--delete+delete --delete-before+delete "
            "--delete-during+delete --delete-delay+delete --delete-after+delete --delete-excluded+delete "
            "--delete-missing-args+delete --write-batch= --only-write-batch= --write-devices"
        ),
        runs="-e,--rsh=SSH --rsync-path=RSYNC --daemon --config= -M,--remote-option=",
        operands="read* write",
        syntax="exact no",
        traits="moves reaches wide",
        effects="read write",
        can="deletes: --delete, --del; remote; writes",
    ),
    Program(
        "patch",
        options=(
            "-p,--strip= -F,--fuzz= -l,--ignore-whitespace -c,--context -n,--normal -u,--unified -N,--forward "
            "-R,--reverse -i,--input=read -D,--ifdef= --merge[=] -E,--remove-empty-files -Z,--set-utc "
            "-T,--set-time --quoting-style= -b,--backup --backup-if-mismatch --no-backup-if-mismatch "
            "-V,--version-control= -B,--prefix= -Y,--basename-prefix= -z,--suffix= -t,--batch -f,--force "
            "-s,--quiet,--silent --verbose --dry-run!read>read --posix -d,--directory=enter --reject-format= --binary "
            "--read-only= --follow-symlinks -v,--version!none --help!none"
        ),
        writes="-o,--output=NOWHERE -r,--reject-file=NOWHERE",
        runs="-e,--ed -g,--get=",
        operands="write read",
        traits="moves",
        effects="read write",
        can="writes",
    ),
    Program(
        "split",
        options=(
            "-a,--suffix-length= --additional-suffix= -b,--bytes= -C,--line-bytes= -d --numeric-suffixes[=] -x "
            "--hex-suffixes[=] -e,--elide-empty-files -l,--lines= -n,--number= -t,--separator= -u,--unbuffered "
            "--verbose --help --version -#"
        ),
        runs="--filter=",
        operands="read write",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "csplit",
        options=(
            "-b,--suffix-format= -f,--prefix=write -k,--keep-files --suppress-matched -n,--digits= "
            "-s,--quiet,--silent -z,--elide-empty-files"
        ),
        operands="read data*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "tee",
        options="-a,--append -i,--ignore-interrupts -p --output-error[=]",
        operands="write*",
        traits="wide writes",
        effects="none",
        can="writes",
    ),
    Program("sponge", options="-a", operands="write", traits="wide writes", effects="none", can="writes"),
    Program(
        "dos2unix",
        aliases="unix2dos mac2unix unix2mac",
        options=(
            "-c,--convmode= -n,--newfile -o,--oldfile -ascii -iso -7 -b,--keep-bom -f,--force -h,--help!none "
            "-k,--keepdate -L,--license!none -l,--newline -m,--add-bom -q,--quiet -r,--remove-bom -s,--safe "
            "-F,--follow-symlink -R,--replace-symlink -S,--skip-symlink -v,--verbose -V,--version!none "
            "-i,--info[=]!read>read"
        ),
        operands="write*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "pv",
        options=(
            "-p,--progress -t,--timer -e,--eta -I,--fineta -r,--rate -a,--average-rate -b,--bytes "
            "-T,--buffer-percent -A,--last-written= -F,--format= -n,--numeric -q,--quiet -W,--wait "
            "-D,--delay-start= -s,--size= -l,--line-mode -0,--null -i,--interval= -w,--width= -H,--height= "
            "-N,--name= -f,--force -c,--cursor -L,--rate-limit= -B,--buffer-size= -C,--no-splice "
            "-E,--skip-errors -S,--stop-at-size -R,--remote= -d,--watchfd= -h,--help -V,--version"
        ),
        writes="-P,--pidfile=",
        operands="read*",
        effects="read",
        can="reads",
    ),
    Program(
        "mount",
        options=(
            "-a,--all -c,--no-canonicalize -f,--fake -F,--fork -i,--internal-only "
            "-l,--show-labels -m,--mkdir[=] -n,--no-mtab --options-mode= --options-source= "
            "--options-source-force -o,--options= -O,--test-opts= -r,--read-only -t,--types=FILESYSTEM --source= "
            "--target= --target-prefix= -v,--verbose -w,--rw,--read-write -N,--namespace= -L,--label= "
            "-U,--uuid= -B,--bind -M,--move -R,--rbind"
        ),
        runs="-T,--fstab=",
        operands="data read",
        traits="moves wide",
        effects="system",
    ),
    Program("mount.fuse", aliases="mount.*", traits="moves opaque wide"),
    Program(
        "umount",
        options="-O,--test-opts= -t,--types= -N,--namespace=",
        operands="data*",
        traits="wide",
        effects="system",
    ),
    Program(
        "findmnt",
        options=(
            "-s,--fstab -m,--mtab -k,--kernel -p,--poll[=] -w,--timeout= -A,--all -a,--ascii -b,--bytes "
            "-C,--nocanonicalize -c,--canonicalize -D,--df -d,--direction= -e,--evaluate -F,--tab-file=read "
            "-f,--first-only -i,--invert -J,--json -l,--list -M,--mountpoint= -T,--target=look -N,--task= "
            "-n,--noheadings -O,--options= -o,--output= --output-all -P,--pairs --pseudo --shadowed -R,--submounts "
            "-r,--raw --real -S,--source= -t,--types= -U,--uniq -u,--notruncate -v,--nofsroot -x,--verify --tree "
            "--verbose --vfs-all -h,--help!none -V,--version!none"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "sshfs",
        options="-p= -C -v,--verbose -d,--debug -f -s -h,--help -V,--version -1 -o=SSHFS",
        runs="-F=",
        operands="REMOTE write",
        traits="moves",
        effects="network system",
        can="remote",
    ),
)

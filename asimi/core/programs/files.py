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
    Program("basename", options="-a,--multiple -s,--suffix= -z,--zero", traits="looks", can="reads"),
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
        can="writes",
    ),
    Program("dirname", options="-z,--zero", traits="looks", can="reads"),
    Program(
        "ln",
        options=(
            f"{_BACKUP} -d,-F,--directory -f,--force -i,--interactive -L,--logical -n,--no-dereference "
            "-P,--physical -r,--relative -s,--symbolic"
        ),
        operands=_DESTINATION,
        traits="interprets moves wide",
        can="writes",
    ),
    Program("link", operands="read write", traits="interprets moves", can="writes"),
    Program("ls", aliases="dir vdir", options=_LS, traits="feeds looks", can="reads"),
    Program("eza", aliases="exa lsd", traits="feeds looks", can="reads"),
    Program(
        "mkdir",
        options="-m,--mode= -p,--parents -v,--verbose -Z --context[=]",
        operands="write*",
        traits="writes",
        can="writes",
    ),
    Program("mkfifo", options="-m,--mode= -Z --context[=]", operands="write*", traits="writes", can="writes"),
    Program("mknod", options="-m,--mode= -Z --context[=]", operands="write data*", traits="writes", can="writes"),
    Program(
        "mktemp",
        options="-d,--directory -u,--dry-run -q,--quiet --suffix= -p=write --tmpdir[=write] -t",
        operands="write",
        traits="writes",
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
        can="writes",
    ),
    Program("readlink", traits="looks", can="reads"),
    Program("realpath", options="--relative-to= --relative-base=", traits="looks", can="reads"),
    Program("namei", traits="looks", can="reads"),
    Program(
        "rm",
        options=(
            "-f,--force -iI --interactive[=] --one-file-system --no-preserve-root --preserve-root[=] "
            "-r,-R,--recursive -d,--dir -v,--verbose"
        ),
        operands="delete*",
        traits="moves wide",
        can="deletes",
    ),
    Program(
        "rmdir",
        options="--ignore-fail-on-non-empty -p,--parents -v,--verbose",
        operands="delete*",
        traits="moves wide",
        can="deletes",
    ),
    Program(
        "touch",
        options="-a -c,--no-create -d,--date= -f -h,--no-dereference -m -r,--reference=read -t= --time=",
        operands="write*",
        traits="writes",
        can="writes",
    ),
    Program(
        "truncate",
        options="-c,--no-create -o,--io-blocks -r,--reference=read -s,--size=",
        operands="write*",
        traits="wide writes",
        can="deletes",
    ),
    Program(
        "fallocate",
        options=(
            "-c,--collapse-range -d,--dig-holes -i,--insert-range -l,--length= -n,--keep-size -o,--offset= "
            "-p,--punch-hole -z,--zero-range -x,--posix -v,--verbose"
        ),
        operands="write",
        traits="writes",
        can="writes",
    ),
    Program("unlink", operands="delete", traits="moves wide", can="deletes"),
    Program(
        "shred",
        aliases="srm",
        options=(
            "-f,--force -n,--iterations= --random-source=read -s,--size= -u --remove[=] -v,--verbose -x,--exact "
            "-z,--zero"
        ),
        operands="delete*",
        traits="moves wide",
        can="deletes",
    ),
    Program("trash", aliases="trash-put", operands="delete*", traits="moves", can="deletes"),
    Program("trash-empty", aliases="trash-rm", traits="moves", can="deletes"),
    Program("trash-list", traits="looks", can="reads"),
    Program("trash-restore", traits="moves", can="writes"),
    Program(
        "rename",
        aliases="prename file-rename",
        options=(
            "-0,--null -a,--all -d,--filename,--nopath,--nofullpath -f,--force -h,-?,--help -i,--interactive "
            "-l,--last -m,--man -n,--no-act,--nono -o,--no-overwrite --path,--fullpath -s,--symlink "
            "-v,--verbose -V,--version"
        ),
        runs="-e=RENAME -E=RENAME -u --unicode",
        operands="RENAME|-e|-E move*",
        syntax="ends",
        traits="moves",
        can="writes",
    ),
    Program(
        "install",
        options=(
            f"{_BACKUP} -cD -C,--compare -d,--directory --debug -g,--group= -m,--mode= -o,--owner= "
            "-p,--preserve-timestamps -s,--strip --preserve-context -Z --context[=] --help --version"
        ),
        runs="--strip-program=",
        operands=_DESTINATION,
        traits="interprets moves",
        can="permissions: -m; writes",
    ),
    Program(
        "chmod",
        options=(
            "-c,--changes -f,--silent,--quiet -v,--verbose --no-preserve-root --preserve-root --reference=read "
            "-R,--recursive -rwxXst"
        ),
        operands="data|--reference|-r|-w|-x|-X|-s|-t write*",
        traits="moves wide",
        can="permissions",
    ),
    Program("chown", options=_OWNERS, operands="data|--reference write*", traits="moves wide", can="permissions"),
    Program("chgrp", options=_OWNERS, operands="data|--reference write*", traits="moves", can="permissions"),
    Program("chattr", options="-RVf -v= -p=", traits="moves", can="permissions"),
    Program("lsattr", traits="looks", can="reads"),
    Program(
        "setfacl",
        options=(
            "-m,--modify= -M,--modify-file=read -x,--remove= -X,--remove-file=read -b,--remove-all "
            "-k,--remove-default --set= --set-file=read --mask -n,--no-mask -d,--default -R,--recursive "
            "-L,--logical -P,--physical --restore=read --test"
        ),
        operands="write*",
        traits="moves",
        can="permissions",
    ),
    Program("getfacl", traits="looks", can="reads"),
    Program(
        "chcon",
        options=(
            "--dereference -h,--no-dereference -u,--user= -r,--role= -t,--type= -l,--range= --no-preserve-root "
            "--preserve-root --reference=read -R,--recursive -v,--verbose -HLP"
        ),
        traits="moves",
        can="permissions",
    ),
    Program("restorecon", traits="moves", can="permissions"),
    Program("setcap", options="-qrv -n=", traits="moves", can="permissions"),
    Program("getcap", traits="looks", can="reads"),
    Program(
        "dd",
        options=(
            "if=read bs= ibs= obs= cbs= count= skip= iseek= seek= oseek= conv= iflag= oflag= status= --help --version"
        ),
        writes="of=NOWHERE",
        syntax="keys",
        traits="wide writes",
        can="disk: of=/dev/*; writes",
    ),
    Program(
        "stat",
        options="-L,--dereference -f,--file-system --cached= -c,--format= --printf= -t,--terse",
        traits="looks",
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
        traits="looks",
        can="reads",
    ),
    Program(
        "df",
        options=(
            "-a,--all -B,--block-size= -h,--human-readable -H,--si -i,--inodes -k -l,--local --no-sync "
            "--output[=] -P,--portability --sync --total -t,--type= -T,--print-type -x,--exclude-type= -v"
        ),
        traits="looks",
        can="reads",
    ),
    Program("duf", traits="looks", can="reads"),
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
        writes="-delete -fprint=NOWHERE -fprint0=NOWHERE -fprintf=NOWHERE -fls=NOWHERE",
        syntax="words",
        traits="feeds moves",
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
        syntax="exact no",
        traits="feeds moves",
        can="deletes: -X rm; reads",
    ),
    Program(
        "locate",
        aliases="plocate mlocate",
        options="-d,--database=read -l,-n,--limit= -S,--statistics",
        traits="looks",
        can="reads",
    ),
    Program("which", traits="looks", can="reads"),
    Program("whereis", options="-bfglmsu -B -M -S", traits="looks", can="reads"),
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
        syntax="apart exact",
        traits="looks",
        can="reads",
    ),
    Program(
        "tar",
        options=(
            "-A,--catenate,--concatenate -c,--create --delete -d,--diff,--compare -r,--append --test-label "
            "-t,--list -u,--update -x,--extract,--get --check-device -G,--incremental --hole-detection= "
            "--ignore-failed-read --level= --no-check-device --no-seek -n,--seek --occurrence[=] "
            "--sparse-version= -S,--sparse --add-file=read -C,--directory=enter --exclude= --exclude-backups "
            "--exclude-caches --exclude-caches-all --exclude-caches-under --exclude-ignore= "
            "--exclude-ignore-recursive= --exclude-tag= --exclude-tag-all= --exclude-tag-under= --exclude-vcs "
            "--exclude-vcs-ignores --no-null --no-recursion --no-unquote --no-verbatim-files-from --null "
            "--recursion -T,--files-from=read --unquote --verbatim-files-from -X,--exclude-from=read --anchored "
            "--ignore-case --no-anchored --no-ignore-case --no-wildcards --no-wildcards-match-slash --wildcards "
            "--wildcards-match-slash --keep-directory-symlink --keep-newer-files -k,--keep-old-files "
            "--no-overwrite-dir --one-top-level[=] --overwrite --overwrite-dir --recursive-unlink "
            "--skip-old-files -U,--unlink-first -W,--verify --ignore-command-error --no-ignore-command-error "
            "-O,--to-stdout --atime-preserve[=] --clamp-mtime --delay-directory-restore --group= "
            "--group-map=read --mode= --mtime= -m,--touch --no-delay-directory-restore --no-same-owner "
            "--no-same-permissions --numeric-owner --owner= --owner-map=read "
            "-p,--preserve-permissions,--same-permissions --same-owner --sort= -s,--preserve-order,--same-order "
            "--acls --no-acls --no-selinux --no-xattrs --selinux --xattrs --xattrs-exclude= --xattrs-include= "
            "--force-local -f,--file=ARCHIVE -L,--tape-length= -M,--multi-volume -b,--blocking-factor= "
            "-B,--read-full-records -i,--ignore-zeros --record-size= -H,--format= --old-archive,--portability "
            "--pax-option= --posix -V,--label= -a,--auto-compress -j,--bzip2 -J,--xz --lzip --lzma --lzop "
            "--no-auto-compress --zstd -z,--gzip,--gunzip,--ungzip -Z,--compress,--uncompress --backup[=] "
            "--hard-dereference -h,--dereference -K,--starting-file= --newer-mtime= -N,--newer,--after-date= "
            "--one-file-system -P,--absolute-names --suffix= --strip-components= --transform,--xform= "
            "--checkpoint[=] --full-time -l,--check-links --no-quote-chars= --quote-chars= --quoting-style= "
            "-R,--block-number --show-defaults --show-omitted-dirs --show-snapshot-field-ranges "
            "--show-transformed-names,--show-stored-names --totals[=] --utc -v,--verbose --warning= "
            "-w,--interactive,--confirmation -o -?,--help --restrict --usage --version --disable-copyfile "
            "--mac-metadata --no-mac-metadata --no-fflags --uid= --gid= --uname= --gname="
        ),
        writes="-g,--listed-incremental=NOWHERE --index-file=NOWHERE --volno-file= --remove-files",
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
            "-c,--create -r,--append -t,--list -u,--update -x,--extract -a,--auto-compress --acls --no-acls "
            "-B,--read-full-blocks -b,--block-size= -C,--cd,--directory=enter --chroot --clear-nochange-fflags "
            "--exclude= --exclude-vcs --fflags --no-fflags --format= -f,--file=read --gid= --gname= -H -h "
            "-I,-T,--files-from=read --help --hfsCompression --nopreserveHFSCompression --ignore-zeros "
            "--include= -J,--xz -j,--bzip,--bzip2,--bunzip2 -k,--keep-old-files --keep-newer-files "
            "-L,--dereference -l,--check-links --lrzip --lz4 --zstd --lzma --lzop --lzip --grzip --b64encode "
            "--uuencode -m,--modification-time --mac-metadata --no-mac-metadata --disable-copyfile "
            "-n,--norecurse,--no-recursion --newer= --newer-mtime= --newer-than= --newer-mtime-than= --older= "
            "--older-mtime= --older-than= --older-mtime-than= --nodump --null --no-read-sparse --read-sparse "
            "--no-safe-writes --safe-writes --no-same-owner --same-owner --no-same-permissions --no-xattrs "
            "--xattrs --numeric-owner -O,--to-stdout -o --one-file-system --options= -P,--absolute-paths "
            "-p,--insecure,--preserve-permissions --passphrase= --posix -q,--fast-read -S -s= "
            "--strip-components= --totals -U,--unlink,--unlink-first --uid= --uname= -v,--verbose --version "
            "-w,--confirmation,--interactive -X,--exclude-from=read -y -Z,--compress,--uncompress "
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
            "-i,--extract -o,--create -p,--pass-through -t,--list --block-size= -B -c -C,--io-size= "
            "-D,--directory=enter --force-local -H,--format= --quiet -R,--owner= -v,--verbose -V,--dot "
            "-W,--warning= -F,--file=ARCHIVE -M,--message= -b,--swap -f,--nonmatching -I=ARCHIVE "
            "-n,--numeric-uid-gid -r,--rename -s,--swap-bytes -S,--swap-halfwords --to-stdout "
            "-E,--pattern-file=read --only-verify-crc -A,--append --device-independent,--reproducible "
            "--ignore-devno -O=ARCHIVE --renumber-inodes -l,--link --absolute-filenames --no-absolute-filenames "
            "-0,--null -a,--reset-access-time -L,--dereference -d,--make-directories "
            "-m,--preserve-modification-time --no-preserve-owner --sparse -u,--unconditional -?,--help --usage "
            "--version"
        ),
        runs="--rsh-command=",
        traits="moves",
        can="writes",
    ),
    Program(
        "gzip",
        aliases="gunzip pigz unpigz compress uncompress",
        options=(
            "-b,--blocksize= -c,--stdout -d,--decompress -f,--force -k,--keep -l,--list -n,--no-name -N,--name "
            "-p,--processes= -q,--quiet -r,--recursive -S,--suffix= -t,--test -v,--verbose"
        ),
        operands="write*",
        traits="writes",
        can="writes",
    ),
    Program("bzip2", aliases="bunzip2", operands="write*", traits="writes", can="writes"),
    Program(
        "xz",
        aliases="unxz lzma unlzma",
        options=(
            "-C,--check= -F,--format= -M,--memlimit= -S,--suffix= -T,--threads= --block-list= --block-size= "
            "--files[=read] --files0[=read]"
        ),
        operands="write*",
        traits="writes",
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
        can="writes",
    ),
    Program("zcat", aliases="gzcat bzcat xzcat lzcat", options="-S=", operands="read*", traits="looks", can="reads"),
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
        writes="-m,--move -lf,--logfile-path= -la,--log-append -li,--log-info",
        runs="-T,--test -TT,--unzip-command=",
        syntax="exact",
        operands="write read*",
        traits="writes",
        can="writes",
    ),
    Program("unzip", options="-d=write -I= -O= -P=", operands="read data*", traits="moves", can="writes"),
    Program("zipinfo", options="-12chlMmstTvzZ -x", operands="read data*", traits="looks", can="reads"),
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
            "-K,--keep-dirlinks -H,--hard-links -p,--perms -E,--executability --chmod= -A,--acls -X,--xattrs "
            "-o,--owner -g,--group --devices --copy-devices --specials -D -t,--times -U,--atimes --open-noatime "
            "-N,--crtimes -O,--omit-dir-times -J,--omit-link-times --super --fake-super -S,--sparse "
            "--preallocate -n,--dry-run -W,--whole-file --checksum-choice,--cc= -x,--one-file-system "
            "-B,--block-size= --existing,--ignore-non-existing --ignore-existing --ignore-missing-args "
            "--ignore-errors --force --max-delete= --max-size= --min-size= --max-alloc= --partial "
            "--partial-dir= --delay-updates -m,--prune-empty-dirs --numeric-ids --usermap= --groupmap= --chown= "
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
            "--log-file=NOWHERE --remove-source-files --del,--delete --delete-before --delete-during "
            "--delete-delay --delete-after --delete-excluded --delete-missing-args --write-batch= "
            "--only-write-batch= --write-devices"
        ),
        runs="-e,--rsh=SSH --rsync-path=RSYNC --daemon --config= -M,--remote-option=",
        operands="read* write",
        syntax="exact no",
        traits="moves wide",
        can="deletes: --delete, --del; remote; writes",
    ),
    Program(
        "patch",
        options=(
            "-p,--strip= -F,--fuzz= -l,--ignore-whitespace -c,--context -n,--normal -u,--unified -N,--forward "
            "-R,--reverse -i,--input=read -D,--ifdef= --merge[=] -E,--remove-empty-files -Z,--set-utc "
            "-T,--set-time --quoting-style= -b,--backup --backup-if-mismatch --no-backup-if-mismatch "
            "-V,--version-control= -B,--prefix= -Y,--basename-prefix= -z,--suffix= -t,--batch -f,--force "
            "-s,--quiet,--silent --verbose --dry-run --posix -d,--directory=enter --reject-format= --binary "
            "--read-only= --follow-symlinks -v,--version --help"
        ),
        writes="-o,--output=NOWHERE -r,--reject-file=NOWHERE",
        runs="-e,--ed -g,--get=",
        operands="write read",
        traits="moves",
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
        can="writes",
    ),
    Program(
        "tee",
        options="-a,--append -i,--ignore-interrupts -p --output-error[=]",
        operands="write*",
        traits="wide writes",
        can="writes",
    ),
    Program("sponge", options="-a", operands="write", traits="wide writes", can="writes"),
    Program(
        "dos2unix",
        aliases="unix2dos mac2unix unix2mac",
        options="-c,--convmode= -n,--newfile",
        operands="write*",
        traits="writes",
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
        traits="moves wide",
    ),
    Program("mount.fuse", aliases="mount.*", traits="moves opaque wide"),
    Program("umount", options="-O,--test-opts= -t,--types= -N,--namespace=", traits="wide"),
    Program("findmnt", traits="looks", can="reads"),
    Program(
        "sshfs",
        options="-p= -C -v,--verbose -d,--debug -f -s -h,--help -V,--version -1 -o=SSHFS",
        runs="-F=",
        traits="moves",
        can="remote",
    ),
)

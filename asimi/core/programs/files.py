"""Programs that work on files as such: copy, move, remove, link, archive, look for them."""

from __future__ import annotations

from asimi.core.programs.program import Program

PROGRAMS = (
    Program("basename", traits="looks", can="reads"),
    Program("cp", traits="interprets moves wide", can="writes"),
    Program("dirname", traits="looks", can="reads"),
    Program("ln", traits="interprets moves wide", can="writes"),
    Program("ls", traits="feeds looks", can="reads"),
    Program("mkdir", can="writes"),
    Program("mkfifo", can="writes"),
    Program("mktemp", can="writes"),
    Program("mv", traits="moves wide", can="writes"),
    Program("readlink", traits="looks", can="reads"),
    Program("realpath", traits="looks", can="reads"),
    Program("rm", traits="moves wide", can="deletes"),
    Program("rmdir", traits="moves wide", can="deletes"),
    Program("touch", traits="writes", can="writes"),
    Program("truncate", traits="wide writes", can="deletes"),
    Program("unlink", traits="moves wide", can="deletes"),
    Program("shred", aliases="srm", traits="moves wide", can="deletes"),
    Program("trash", aliases="trash-put", traits="moves", can="deletes"),
    Program("rename", can="writes"),
    Program(
        "install",
        options="-S= -g= -m= -o= -t=",
        runs="--strip-program=",
        syntax="open",
        traits="interprets moves",
        can="permissions: -m; writes",
    ),
    Program("chmod", traits="moves wide", can="permissions"),
    Program("chown", traits="moves wide", can="permissions"),
    Program("chgrp", traits="moves", can="permissions"),
    Program("chattr", traits="moves", can="permissions"),
    Program("setfacl", traits="moves", can="permissions"),
    Program("chcon", can="permissions"),
    Program("restorecon", can="permissions"),
    Program("setcap", can="permissions"),
    Program(
        "dd",
        options="if= bs= ibs= obs= cbs= count= skip= iseek= seek= oseek= conv= iflag= oflag= status= --help --version",
        writes="of=NOWHERE",
        syntax="keys",
        traits="wide writes",
        can="disk: of=/dev/*; writes",
    ),
    Program("stat", traits="looks", can="reads"),
    Program("du", traits="looks", can="reads"),
    Program("df", can="reads"),
    Program(
        "file", options="-e= -f=", runs="-C -m --compile= --magic-file=", syntax="open", traits="looks", can="reads"
    ),
    Program(
        "find",
        aliases="gfind",
        options=(
            "-exec=COMMAND -execdir=COMMAND -ok=COMMAND -okdir=COMMAND -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -lname= -ilname= -newer= "
            "-anewer= -cnewer= -mtime= -atime= -ctime= -mmin= -amin= -cmin= -size= -type= -xtype= -perm= -user= "
            "-group= -uid= -gid= -maxdepth= -mindepth= -printf= -samefile= -links= -inum= -regextype= -fstype= "
            "-used= -context="
        ),
        writes="-delete -fprint= -fprint0= -fprintf= -fls=",
        syntax="words open",
        traits="feeds moves",
        can="deletes: -delete; reads",
    ),
    Program(
        "fd",
        aliases="fdfind",
        options="-x,--exec=COMMAND -X,--exec-batch=COMMAND",
        traits="feeds moves",
        can="deletes: -X rm; reads",
    ),
    Program("locate", can="reads"),
    Program("which", can="reads"),
    Program("whereis", can="reads"),
    Program("tree", options="-I= -L= -P=", runs="-o=NOWHERE", syntax="open", traits="looks", can="reads"),
    Program(
        "tar",
        aliases="gtar",
        options=(
            "-b= -f= -g= --directory= --exclude= --exclude-from= --file= --files-from= --strip-components= --transform="
        ),
        writes="--remove-files",
        runs=(
            "-I -F --checkpoint-action=COMPRESSOR --to-command=COMPRESSOR --use-compress-program=COMPRESSOR "
            "--info-script=COMPRESSOR --new-volume-script=COMPRESSOR --rsh-command=COMPRESSOR "
            "--rmt-command=COMPRESSOR"
        ),
        syntax="bundle open",
        traits="moves",
        can="writes",
    ),
    Program("bsdtar", options="-C= -T= -X= -f=", runs="--use-compress-program=", syntax="open", traits="moves"),
    Program("cpio", traits="moves"),
    Program("gzip", aliases="gunzip", can="writes"),
    Program("bzip2", can="writes"),
    Program("xz", can="writes"),
    Program("zstd", can="writes"),
    Program(
        "zip",
        options="-b= -i= -n= -t= -x=",
        writes="--move",
        runs="-T -m --unzip-command= --test= -TT",
        syntax="open",
        can="writes",
    ),
    Program("unzip", traits="moves", can="writes"),
    Program("7z", traits="moves", can="writes"),
    Program(
        "rsync",
        options=(
            "-@= -B= -M= -T= -f= --backup-dir= --bwlimit= --chmod= --chown= --exclude= --files-from= --filter= "
            "--include= --out-format= --port= --suffix= --timeout="
        ),
        writes=(
            "--log-file= --remove-source-files --delete --delete-before= --delete-after= --delete-during= "
            "--delete-excluded= --write-batch= --only-write-batch="
        ),
        runs="-e --rsh= --rsync-path= --daemon --config= --password-file= --early-input=",
        syntax="open",
        traits="moves wide",
        can="deletes: --delete, --del; remote; writes",
    ),
    Program("patch", writes="-o= --output=", runs="-e --ed", syntax="open", traits="moves", can="writes"),
    Program("split", options="-C= -a= -b= -l= -n= -t=", runs="--filter=", syntax="open", traits="writes", can="writes"),
    Program("csplit", traits="opaque writes", can="writes"),
    Program("tee", traits="wide writes", can="writes"),
    Program("mount", traits="moves wide"),
    Program("umount", traits="wide"),
    Program("sshfs", traits="moves"),
)

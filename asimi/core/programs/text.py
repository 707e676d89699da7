"""Programs that read, select and print text."""

from __future__ import annotations

from asimi.core.programs.program import Program

PROGRAMS = (
    Program("cat", traits="looks", can="reads"),
    Program("head", traits="looks", can="reads"),
    Program("tail", traits="looks", can="reads"),
    Program("tac", can="reads"),
    Program("nl", can="reads"),
    Program("wc", traits="looks", can="reads"),
    Program("cut", traits="looks", can="reads"),
    Program("paste"),
    Program("join"),
    Program("comm", can="reads"),
    Program(
        "sort",
        aliases="gsort",
        options=(
            "-S= -T= -k= -t= --batch-size= --buffer-size= --field-separator= --files0-from= --key= --parallel= "
            "--temporary-directory="
        ),
        writes="-o=NOWHERE --output=NOWHERE",
        runs="--compress-program=NOWHERE",
        syntax="open",
        traits="looks",
        can="writes: -o; reads",
    ),
    Program(
        "uniq",
        options="-f= -s= -w= --check-chars= --skip-chars= --skip-fields=",
        operands="read write",
        traits="looks",
        can="reads",
    ),
    Program(
        "shuf",
        options="-i= -n= -r= --head-count= --input-range= --random-source=",
        writes="-o=NOWHERE --output=NOWHERE",
        syntax="open",
    ),
    Program("tr", can="reads"),
    Program("fold", can="reads"),
    Program("fmt", can="reads"),
    Program("column", can="reads"),
    Program("rev", can="reads"),
    Program("seq", can="reads"),
    Program("expr", can="reads"),
    Program("echo", traits="builtin looks", can="reads"),
    Program("printf", options="-v=", syntax="ends", traits="builtin looks", can="reads"),
    Program(
        "grep",
        aliases="egrep fgrep",
        options=(
            "-A= -B= -C= -D= -e= -f= -m= --after-context= --before-context= --context= --exclude= --file= "
            "--include= --max-count= --regexp="
        ),
        traits="feeds looks",
        can="reads",
    ),
    Program(
        "rg",
        options=(
            "-A= -B= -C= -E= -M= -T= -d= -e= -f= -g= -j= -m= -r= -t= --color= --file= --glob= --max-count= "
            "--pre-glob= --regexp= --sort= --type= --type-not="
        ),
        runs="--pre= --hostname-bin= --search-zip=",
        syntax="exact open",
        traits="feeds looks",
        can="reads",
    ),
    Program("ag", options="-A= -B= -C= -G= -m= -p=", runs="--pager=", syntax="open", can="reads"),
    Program("ack", options="-A= -B= -C= -m=", writes="--output=", runs="--pager=", syntax="open", can="reads"),
    Program(
        "sed",
        aliases="gsed",
        options=(
            "-l= --line-length= --quiet --silent --regexp-extended --posix --separate --unbuffered --null-data "
            "--zero-terminated --sandbox --debug --follow-symlinks --version --help -e=SED --expression=SED"
        ),
        writes="-i --in-place[=]",
        runs="-f --file=",
        operands="SED|-e|--expression|-f|--file read*",
        syntax="open",
        traits="embeds wide",
        can="writes: -i, --in-place; reads",
    ),
    Program(
        "awk",
        aliases="gawk mawk nawk original-awk",
        options=(
            "-v= --assign= --field-separator= --posix --traditional --lint --re-interval --non-decimal-data "
            "--bignum --sandbox --csv --version --help"
        ),
        writes="--dump-variables=",
        runs=(
            "-f -i -l -e -E -D -o= -p -d -W --file= --exec= --include= --load= --source= --profile= "
            "--pretty-print= --debug="
        ),
        operands="AWK|-f|--file read*",
        syntax="open",
        traits="embeds wide",
        can="code",
    ),
    Program("jq", can="reads"),
    Program(
        "yq",
        options="-o= -p=",
        writes="--inplace=",
        runs="-i -s -I --split-exp= --from-file=",
        syntax="open",
        can="reads",
    ),
    Program("xmllint", writes="-o= --output=", runs="--shell", syntax="words open"),
    Program(
        "xsltproc",
        writes="-o=NOWHERE --output=NOWHERE",
        runs="--load-trace=NOWHERE --writesubtree=NOWHERE",
        syntax="open",
    ),
    Program("diff", options="-C= -D= -F= -I= -U= -W= -x=", runs="--to-file=", syntax="open", can="reads"),
    Program("diff3", runs="--diff-program=", syntax="open"),
    Program("sdiff", writes="-o= --output=", runs="--diff-program=", syntax="open"),
    Program("cmp", can="reads"),
    Program("delta", runs="--pager=", syntax="exact open"),
    Program(
        "less",
        aliases="more",
        options="-b= -h= -j= -p= -t= -x= -y= -z=",
        writes="--log-file=",
        runs="-o= -O= -k= -T= --LOG-FILE= --lesskey-file= --lesskey-src= --lesskey-context= --tag-file=",
        operands="PLUS*",
        syntax="open",
        can="reads",
    ),
    Program(
        "bat",
        aliases="batcat",
        options=("-H= -l= -m= -r= --color= --highlight-line= --language= --line-range= --paging= --style= --theme="),
        runs="--pager=",
        syntax="exact open",
    ),
    Program("od", can="reads"),
    Program("xxd", options="-c= -g= -l= -o= -s=", runs="-r", operands="read write", syntax="open", can="reads"),
    Program("hexdump", can="reads"),
    Program("strings", can="reads"),
    Program("base64"),
    Program("sha256sum", aliases="cksum md5sum sha1sum", traits="looks", can="reads"),
    Program(
        "iconv",
        options="-f= -t= --from-code= --to-code=",
        writes="-o=NOWHERE --output=NOWHERE",
        syntax="open",
        can="writes: -o",
    ),
    Program(
        "fzf",
        options="-d= -e= -f= -m= -n= -q= -t=",
        runs="--preview= --bind= --listen= --listen-unsafe= --with-shell= --become=",
        syntax="exact open",
    ),
    Program(
        "pandoc",
        options="-d= -f= -t= --from= --metadata= --to= --variable=",
        writes="-o=NOWHERE --output=NOWHERE",
        runs=(
            "-F=NOWHERE -L=NOWHERE --filter=NOWHERE --lua-filter=NOWHERE --pdf-engine=NOWHERE "
            "--extract-media=NOWHERE --defaults=NOWHERE"
        ),
        syntax="open",
    ),
    Program("bc", operands="read*", can="reads"),
    Program("dc", options="-e=BC --expression=BC", operands="read*", traits="input"),
    Program("m4", traits="opaque"),
    Program("yes"),
    Program("true", traits="builtin", can="waits"),
    Program("false", traits="builtin", can="waits"),
    Program("test", traits="builtin looks", can="reads"),
    Program("[", traits="builtin", can="reads"),
    Program(
        "date", options="-I= -d= -f= -r= --date= --file= --reference=", runs="-s --set=", syntax="open", can="reads"
    ),
    Program(
        "man",
        options="-e= -k= -m= -s=",
        runs=(
            "-P -H -t -T -X -C --pager= --html= --troff= --troff-device= --gxditview= --preprocessor= --config-file="
        ),
        syntax="open",
        can="reads",
    ),
)

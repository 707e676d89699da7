"""Programs that read, select and print text.

Sources: the manuals of GNU coreutils 9.1, grep 3.8, sed 4.9, gawk 5.2, mawk 1.3.4, diffutils 3.8, bc 1.07 and m4 1.4,
util-linux 2.38, less 590, man-db 2.11, ag 2.2, pandoc 3.10, xxd 9.0, libxml2 2.9 and libxslt 1.1; the sources of
ripgrep 15.2, bat 0.26, delta 0.19, fzf 0.74, ack 3.9, jq 1.8, mikefarah's yq 4.53 and kislyuk's yq 4.1.
"""

from __future__ import annotations

from asimi.core.programs.program import Program

PROGRAMS = (
    Program(
        "cat",
        options=(
            "-A,--show-all -b,--number-nonblank -etuv -E,--show-ends -n,--number -s,--squeeze-blank "
            "-T,--show-tabs --show-nonprinting"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "head",
        options="-c,--bytes= -n,--lines= -q,--quiet,--silent -v,--verbose -z,--zero-terminated -#",
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "tail",
        options=(
            "-c,--bytes= -f,--follow[=] -F -n,--lines= --max-unchanged-stats= --pid= -q,--quiet,--silent "
            "--retry -s,--sleep-interval= -v,--verbose -z,--zero-terminated -#"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "tac",
        options="-b,--before -r,--regex -s,--separator=",
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "nl",
        options=(
            "-b,--body-numbering= -d,--section-delimiter= -f,--footer-numbering= -h,--header-numbering= "
            "-i,--line-increment= -l,--join-blank-lines= -n,--number-format= -p,--no-renumber "
            "-s,--number-separator= -v,--starting-line-number= -w,--number-width="
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "wc",
        options=("-c,--bytes -m,--chars -l,--lines --files0-from=read -L,--max-line-length -w,--words --total="),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "cut",
        options=(
            "-b,--bytes= -c,--characters= -d,--delimiter= -f,--fields= -n --complement -s,--only-delimited "
            "--output-delimiter= -z,--zero-terminated"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "paste",
        options="-d,--delimiters= -s,--serial -z,--zero-terminated",
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "join",
        options=(
            "-1= -2= -a= -e= -i,--ignore-case -j= -o= -t= -v= --check-order --nocheck-order --header "
            "-z,--zero-terminated"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "comm",
        options="-123 --check-order --nocheck-order --output-delimiter= --total -z,--zero-terminated",
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "sort",
        options=(
            "-b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort "
            "-i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort "
            "--random-source=read -r,--reverse --sort= -V,--version-sort --batch-size= -c --check[=] -C --debug "
            "--files0-from=read -k,--key= -m,--merge -s,--stable -S,--buffer-size= -t,--field-separator= "
            "-T,--temporary-directory=write --parallel= -u,--unique -z,--zero-terminated --help --version -#"
        ),
        writes="-o,--output=NOWHERE",
        runs="--compress-program=COMPRESSOR",
        operands="read*",
        traits="looks",
        effects="read",
        can="writes: -o; reads",
    ),
    Program(
        "uniq",
        options=(
            "-c,--count -d,--repeated -D --all-repeated[=] -f,--skip-fields= --group[=] -i,--ignore-case "
            "-s,--skip-chars= -u,--unique -z,--zero-terminated -w,--check-chars="
        ),
        operands="read write",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "shuf",
        options=(
            "-e,--echo -i,--input-range= -n,--head-count= --random-source=read -r,--repeat -z,--zero-terminated "
            "--help --version"
        ),
        writes="-o,--output=NOWHERE",
        operands="read*|-e|--echo",
        traits="looks",
        effects="read",
        can="writes: -o; reads",
    ),
    Program(
        "tr",
        options="-c,-C,--complement -d,--delete -s,--squeeze-repeats -t,--truncate-set1",
        operands="data*",
        traits="looks",
        effects="none",
        can="reads",
    ),
    Program(
        "fold",
        options="-b,--bytes -s,--spaces -w,--width= -#",
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "fmt",
        options=(
            "-c,--crown-margin -p,--prefix= -s,--split-only -t,--tagged-paragraph -u,--uniform-spacing "
            "-w,--width= -g,--goal= -#"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "pr",
        options=(
            "-# --columns= -a,--across -c,--show-control-chars -d,--double-space -D,--date-format= "
            "-e,--expand-tabs[=] -F,-f,--form-feed -h,--header= -i,--output-tabs[=] -J,--join-lines -l,--length= "
            "-m,--merge -n,--number-lines[=] -N,--first-line-number= -o,--indent= -r,--no-file-warnings "
            "-s,--separator[=] -S,--sep-string[=] -t,--omit-header -T,--omit-pagination -v,--show-nonprinting "
            "-w,--width= -W,--page-width="
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "expand",
        aliases="unexpand",
        options="-a,--all --first-only -i,--initial -t,--tabs= -#",
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "numfmt",
        options=(
            "-d,--delimiter= --field= --format= --from= --from-unit= --header[=] --invalid= --padding= --round= "
            "--suffix= --to= --to-unit= -# --debug --grouping -z,--zero-terminated"
        ),
        operands="data*",
        traits="looks",
        effects="none",
        can="reads",
    ),
    Program("tsort", operands="read", traits="looks", effects="read", can="reads"),
    Program(
        "column",
        options=(
            "-O,--table-order= -N,--table-columns= -l,--table-columns-limit= -n,--table-name= -H,--table-hide= "
            "-E,--table-noextreme= -R,--table-right= -T,--table-truncate= -W,--table-wrap= -r,--tree= -i,--tree-id= "
            "-p,--tree-parent= -c,--output-width= -o,--output-separator= -s,--separator= -t,--table "
            "-d,--table-noheadings -e,--table-header-repeat -L,--keep-empty-lines -J,--json -x,--fillrows -h,--help "
            "-V,--version"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "col",
        aliases="colrm ul",
        options=(
            "-b,--no-backspaces -f,--fine -p,--pass -h,--tabs -x,--spaces -l,--lines= -H,--help -v,--version "
            "-t,-T,--terminal= -i,--indicated -V"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "look",
        options="-a,--alternative -d,--alphanum -f,--ignore-case -t,--terminate= -h,--help -V,--version",
        operands="data read",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("rev", options="-h,--help -V,--version", operands="read*", traits="looks", effects="read", can="reads"),
    Program(
        "seq",
        options="-f,--format= -s,--separator= -w,--equal-width -#",
        operands="data*",
        traits="looks",
        effects="none",
        can="reads",
    ),
    Program("factor", operands="data*", traits="looks", effects="none", can="reads"),
    Program("expr", options="-*", operands="data*", traits="looks", effects="none", can="reads"),
    Program("echo", options="-*", operands="data*", traits="builtin looks", effects="none", can="reads"),
    Program(
        "printf", options="-v=", operands="data*", syntax="ends", traits="builtin looks", effects="none", can="reads"
    ),
    Program(
        "envsubst",
        options="-v,--variables -h,--help -V,--version",
        operands="data",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "grep",
        aliases="egrep fgrep rgrep zgrep zegrep zfgrep bzgrep xzgrep",
        options=(
            "-E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -e,--regexp= "
            "-f,--file=read -i,-y,--ignore-case --no-ignore-case -w,--word-regexp -x,--line-regexp "
            "-z,--null-data -s,--no-messages -v,--invert-match -V,--version --help -m,--max-count= "
            "-b,--byte-offset -n,--line-number --line-buffered -H,--with-filename -h,--no-filename --label= "
            "-o,--only-matching -q,--quiet,--silent --binary-files= -a,--text -I -d,--directories= "
            "-D,--devices= -r,--recursive -R,--dereference-recursive --include= --exclude= --exclude-from=read "
            "--exclude-dir= -L,--files-without-match -l,--files-with-matches -c,--count -T,--initial-tab "
            "-Z,--null -B,--before-context= -A,--after-context= -C,--context= --group-separator= "
            "--no-group-separator --color,--colour[=] -U,--binary -#"
        ),
        operands="data|-e|-f read*",
        traits="feeds looks",
        effects="read",
        can="reads",
    ),
    Program(
        "rg",
        options=(
            "-A,--after-context= --auto-hybrid-regex -B,--before-context= --binary --block-buffered "
            "-b,--byte-offset -s,--case-sensitive --color= --colors= --column -C,--context= "
            "--context-separator= -c,--count --count-matches --crlf --debug --dfa-size-limit= -E,--encoding= "
            "--engine= --field-context-separator= --field-match-separator= -f,--file=read --files "
            "-l,--files-with-matches --files-without-match -F,--fixed-strings -L,--follow --generate= "
            "-g,--glob= --glob-case-insensitive --heading -h,--help -.,--hidden --hyperlink-format= --iglob= "
            "-i,--ignore-case --ignore-file=read --ignore-file-case-insensitive --include-zero "
            "-v,--invert-match --json --line-buffered -n,--line-number -N,--no-line-number -x,--line-regexp "
            "-M,--max-columns= --max-columns-preview -m,--max-count= -d,--max-depth,--maxdepth= --max-filesize= "
            "--mmap -U,--multiline --multiline-dotall --config --ignore --ignore-dot --ignore-exclude "
            "--ignore-files --ignore-global --ignore-messages --ignore-parent --ignore-vcs --messages "
            "--pcre2-unicode --require-git --unicode -0,--null --null-data --one-file-system -o,--only-matching "
            "--path-separator= --passthru,--passthrough -P,--pcre2 --pcre2-version --no-pre --pre-glob= "
            "-p,--pretty -q,--quiet --regex-size-limit= -e,--regexp= -r,--replace= -z,--search-zip "
            "-S,--smart-case --sort-files --sort= --sortr= --stats --stop-on-nonmatch -a,--text -j,--threads= "
            "--trace --trim -t,--type= --type-add= --type-clear= -T,--type-not= --type-list -u,--unrestricted "
            "-V,--version --vimgrep -H,--with-filename -I,--no-filename -w,--word-regexp"
        ),
        runs="--pre= --hostname-bin=",
        operands="data|-e|-f|--files|--type-list read*",
        syntax="exact no",
        traits="feeds looks",
        effects="read",
        can="reads",
    ),
    Program(
        "ag",
        options=(
            "--ackmate -A,--after[=] -B,--before[=] -C,--context[=] --break -c,--count --color "
            "--color-line-number= --color-match= --color-path= --column --filename -H,--heading -h,--help "
            "-g,--filename-pattern= -l,--files-with-matches -L,--files-without-matches --print-all-files "
            "--numbers --match -o,--only-matching --print-long-lines --passthrough,--passthru --silent --stats "
            "--stats-only --vimgrep -0,--null,--print0 -a,--all-types -D,--debug --depth= -f,--follow "
            "-F,--fixed-strings -G,--file-search-regex= --group --hidden -i,--ignore-case --ignore= "
            "--ignore-dir= -m,--max-count= --mmap --multiline --one-device -p,--path-to-ignore=read "
            "-Q,--literal -r,-R,--recurse -n,--norecurse --affinity --workers= -s,--case-sensitive "
            "-S,--smart-case --search-binary --search-files -t,--all-text -u,--unrestricted "
            "-U,--skip-vcs-ignores -v,--invert-match -V,--version -w,--word-regexp -W,--width= -z,--search-zip "
            "--parallel --nobreak --nocolor --nofilename --nogroup --noheading --nomultiline --nonumbers "
            "--list-file-types"
        ),
        runs="--pager=",
        operands="data|-g read*",
        syntax="no",
        traits="feeds looks",
        effects="read",
        can="reads",
    ),
    Program(
        # Each of its types is an option (`--python`), so it has more options than are named here.
        "ack",
        options=(
            "-A,--after-context[=] -B,--before-context[=] -C,--context[=] --and= --or= --not= --color-colno= "
            "--color-filename= --color-lineno= --color-match= --files-from=read -g= "
            "--ignore-dir,--ignore-directory= --ignore-file= -m,--max-count= --match= -p,--proximate[=] "
            "--range-start= --range-end= --type-add= --type-del= --type-set= -t,--type= -T= "
            "-1cfhHiIklLnoPQrRsSvwx"
        ),
        runs="--pager[=] --ackrc= --output=",
        operands="data|--match|-f|-g read*",
        syntax="open no",
        traits="feeds looks",
        effects="read",
        can="reads",
    ),
    Program(
        "sed",
        options=(
            "-n,--quiet,--silent --debug -e,--expression=SED -E,-r,--regexp-extended --follow-symlinks "
            "-l,--line-length= --posix -s,--separate --sandbox -u,--unbuffered -z,--null-data,--zero-terminated "
            "-a -b,--binary --help --version"
        ),
        writes="-i,--in-place[=]>write -I[=]>write",
        runs="-f,--file=",
        operands="SED|-e|-f read*",
        traits="embeds wide",
        effects="read",
        can="writes: -i, --in-place; reads",
    ),
    Program(
        "awk",
        aliases="gawk mawk nawk original-awk",
        options=(
            "-F,--field-separator= -v,--assign= -b,--characters-as-bytes -c,--traditional -C,--copyright "
            "-e,--source=AWK -g,--gen-pot -h,--help -I,--trace -k,--csv -L,--lint[=] -M,--bignum "
            "-N,--use-lc-numeric -n,--non-decimal-data -O,--optimize -P,--posix -r,--re-interval "
            "-s,--no-optimize -S,--sandbox -t,--lint-old -V,--version"
        ),
        writes="-d,--dump-variables[=NOWHERE] -o,--pretty-print[=NOWHERE] -p,--profile[=NOWHERE]",
        runs="-f,--file= -E,--exec= -i,--include= -l,--load= -D,--debug[=] -W=MAWK",
        operands="AWK|-e|-f|-E read*",
        traits="embeds wide",
        effects="read",
        can="code",
    ),
    Program(
        "jq",
        options=(
            "-n,--null-input -r,--raw-output -j,--join-output -c,--compact-output -S,--sort-keys -R,--raw-input "
            "-s,--slurp -f,--from-file=read+code -L,--library-path=read --indent= -e,--exit-status --args --jsonargs "
            "--arg== --argjson== --rawfile==read --slurpfile==read --argfile==read -a,--ascii-output -b,--binary "
            "--build-configuration -C,--color-output -h,--help -M,--monochrome-output --raw-output0 --seq --stream "
            "--stream-errors --tab --unbuffered -V,--version"
        ),
        operands="data|-f read*|--args|--jsonargs",
        syntax="exact",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        # Two programs have this name, mikefarah's and kislyuk's.
        "yq",
        aliases="xq tomlq",
        options=(
            "-v,--verbose --debug-node-info -j,--tojson -o,--output-format= -p,--input-format= "
            "--xml-attribute-prefix= --xml-content-name= --xml-strict-mode --xml-keep-namespace --xml-raw-token "
            "--xml-proc-inst-prefix= --xml-directive-name= --xml-skip-proc-inst --xml-skip-directives "
            "--csv-auto-parse --csv-separator= --tsv-auto-parse --tsv-separator= --lua-prefix= --lua-suffix= "
            "--lua-unquoted --lua-globals --ini-preserve-quotes --properties-separator= "
            "--properties-array-brackets --shell-key-separator= --string-interpolation -n,--null-input "
            "-N,--no-doc -I,--indent= -V,--version -r,--unwrapScalar --raw-output -0,--nul-output "
            "-P,--prettyPrint -e,--exit-status -C,--colors -M,--no-colors -f,--front-matter= --from-file= "
            "--expression= --header-preprocess --yaml-fix-merge-anchor-to-spec -c,--yaml-compact-seq-indent "
            "--security-disable-env-ops --security-disable-file-ops -h,--help -y,--yaml-output,--yml-output "
            "-Y,--yaml-roundtrip,--yml-roundtrip --yaml-output-grammar-version,--yml-out-ver= -w,--width= "
            "--indentless-lists,--indentless --explicit-start --explicit-end -x,--xml-output --xml-item-depth= "
            "--xml-dtd --xml-root= --xml-force-list= -t,--toml-output -S,--sort-keys -R,--raw-input "
            "-a,--ascii-output --tab --arg== --argjson== --rawfile==read --slurpfile==read --args --jsonargs"
        ),
        writes="-i,--inplace,--in-place>write",
        runs="--security-enable-system-operator",
        operands="read*",
        syntax="exact",
        effects="read",
        can="writes: -i, --inplace; reads",
    ),
    Program(
        "xmllint",
        options=(
            "-auto -c14n -c14n11 -catalogs -chkregister -compress -copy -debug -debugent -dropdtd -dtdattr "
            "-dtdvalid=read -dtdvalidfpi= -encode= -exc-c14n -format -help -html -htmlout -huge -insert "
            "-load-trace -loaddtd -max-ampl= -maxmem= -memory -nobase-uris -noblanks -nocatalogs -nocdata "
            "-nocompact -nodefdtd -nodict -noenc -noent -nofixup-base-uris -nonet -noout -nowarning -nowrap "
            "-noxincludenode -nsclean -oldxml10 -path= -pattern= -pedantic -postvalid -pretty= -push -pushsmall "
            "-quiet -recover -relaxng=read -repeat -sax -sax1 -schema=read -schematron=read -stream "
            "-strict-namespace -testIO -timing -valid -version -walker -xinclude -xmlout -xpath="
        ),
        writes="-o=NOWHERE -output=NOWHERE",
        runs="-shell",
        operands="read*",
        syntax="words",
        effects="read network",
        can="reads",
    ),
    Program(
        "xsltproc",
        options=(
            "-V -version -v -verbose -timing -repeat -debug -dumpextensions -novalid -nodtdattr -noout "
            "-maxdepth= -maxvars= -maxparserdepth= -huge -seed-rand= -html -encoding= -param== -stringparam== "
            "-path= -nonet -nowrite -nomkdir -catalogs -xinclude -xincludestyle -load-trace -profile -norman "
            "-writesubtree="
        ),
        writes="-o=NOWHERE -output=NOWHERE",
        operands="read*",
        syntax="words",
        effects="read write network",
        can="reads",
    ),
    Program(
        "diff",
        aliases="colordiff",
        options=(
            "--normal -q,--brief -s,--report-identical-files -c --context[=] -C= -u --unified[=] -U= -e,--ed "
            "-n,--rcs -y,--side-by-side -W,--width= --left-column --suppress-common-lines -p,--show-c-function "
            "-F,--show-function-line= -L,--label= -t,--expand-tabs -T,--initial-tab --tabsize= "
            "--suppress-blank-empty -l,--paginate -r,--recursive --no-dereference -N,--new-file "
            "-P,--unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case -x,--exclude= "
            "-X,--exclude-from=read -S,--starting-file= --from-file=read --to-file=read -i,--ignore-case "
            "-E,--ignore-tab-expansion -Z,--ignore-trailing-space -b,--ignore-space-change "
            "-w,--ignore-all-space -B,--ignore-blank-lines -I,--ignore-matching-lines= -a,--text "
            "--strip-trailing-cr -D,--ifdef= --GTYPE-group-format= --line-format= --LTYPE-line-format= "
            "-d,--minimal --horizon-lines= --speed-large-files --color[=] --palette= -v,--version -0123456789"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "diff3",
        options=(
            "-A,--show-all -e,--ed -E,--show-overlap -3,--easy-only -x,--overlap-only -X -i -m,--merge "
            "-a,--text --strip-trailing-cr -T,--initial-tab -L,--label= --help -v,--version"
        ),
        runs="--diff-program=",
        operands="read*",
        effects="read",
        can="reads",
    ),
    Program(
        "sdiff",
        options=(
            "-i,--ignore-case -E,--ignore-tab-expansion -Z,--ignore-trailing-space -b,--ignore-space-change "
            "-W,--ignore-all-space -B,--ignore-blank-lines -I,--ignore-matching-lines= --strip-trailing-cr "
            "-a,--text -w,--width= -l,--left-column -s,--suppress-common-lines -t,--expand-tabs --tabsize= "
            "-d,--minimal -H,--speed-large-files --help -v,--version"
        ),
        writes="-o,--output=NOWHERE",
        runs="--diff-program=",
        operands="read*",
        effects="read",
        can="reads",
    ),
    Program(
        "cmp",
        options="-b,--print-bytes -i,--ignore-initial= -l,--verbose -n,--bytes= -s,--quiet,--silent",
        operands="read read data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "wdiff",
        options=(
            "-1,--no-deleted -2,--no-inserted -3,--no-common -C,--copyright -d,--diff-input -h,--help "
            "-i,--ignore-case -l,--less-mode -n,--avoid-wraps -p,--printer -s,--statistics -t,--terminal -v,--version "
            "-w,--start-delete= -x,--end-delete= -y,--start-insert= -z,--end-insert="
        ),
        operands="read*",
        effects="read",
        can="reads",
    ),
    Program(
        "delta",
        options=(
            "--24-bit-color= --blame-code-style= --blame-format= --blame-palette= --blame-separator-format= "
            "--blame-separator-style= --blame-timestamp-format= --blame-timestamp-output-format= --color-only "
            "--commit-decoration-style= --commit-regex= --commit-style= --dark --default-language= "
            "--detect-dark-light= --diff-highlight --diff-so-fancy --diff-stat-align-width= --features= "
            "--file-added-label= --file-copied-label= --file-decoration-style= --file-modified-label= "
            "--file-removed-label= --file-renamed-label= --file-style= --file-transformation= "
            "--generate-completion= --grep-context-line-style= --grep-file-style= "
            "--grep-header-decoration-style= --grep-header-file-style= --grep-line-number-style= "
            "--grep-match-line-style= --grep-match-word-style= --grep-output-type= --grep-separator-symbol= "
            "--hunk-header-decoration-style= --hunk-header-file-style= --hunk-header-line-number-style= "
            "--hunk-header-style= --hunk-label= --hyperlinks --hyperlinks-commit-link-format= "
            "--hyperlinks-file-link-format= --inline-hint-style= --inspect-raw-lines= --keep-plus-minus-markers "
            "--light --line-buffer-size= --line-fill-method= -n,--line-numbers --line-numbers-left-format= "
            "--line-numbers-left-style= --line-numbers-minus-style= --line-numbers-plus-style= "
            "--line-numbers-right-format= --line-numbers-right-style= --line-numbers-zero-style= "
            "--list-languages --list-syntax-themes --map-styles= --max-line-distance= --max-line-length= "
            "--max-syntax-highlighting-length= --merge-conflict-begin-symbol= --merge-conflict-end-symbol= "
            "--merge-conflict-ours-diff-header-decoration-style= --merge-conflict-ours-diff-header-style= "
            "--merge-conflict-theirs-diff-header-decoration-style= --merge-conflict-theirs-diff-header-style= "
            "--minus-emph-style= --minus-empty-line-marker-style= --minus-non-emph-style= --minus-style= "
            "--navigate --navigate-regex= --no-gitconfig --paging= --parse-ansi --plus-emph-style= "
            "--plus-empty-line-marker-style= --plus-non-emph-style= --plus-style= --raw --relative-paths "
            "--right-arrow= --show-colors --show-config --show-syntax-themes --show-themes -s,--side-by-side "
            "--syntax-theme= --tabs= --true-color= -w,--width= --whitespace-error-style= --word-diff-regex= "
            "--wrap-left-symbol= --wrap-max-lines= --wrap-right-percent= --wrap-right-prefix-symbol= "
            "--wrap-right-symbol= --zero-style= -h,--help -V,--version"
        ),
        runs="--pager= --config= -@,--diff-args=",
        operands="read*",
        syntax="exact",
        effects="read",
        can="reads",
    ),
    Program(
        "less",
        aliases="more zless zmore bzless xzless",
        options=(
            "-?,--help -a,--search-skip-screen -A,--SEARCH-SKIP-SCREEN -b,--buffers=NUMBERS -B,--auto-buffers "
            "-c,--clear-screen -C,--CLEAR-SCREEN -d,--dumb -D,--color=DOLLAR -e,--quit-at-eof -E,--QUIT-AT-EOF "
            "-f,--force -F,--quit-if-one-screen -g,--hilite-search -G,--HILITE-SEARCH -h,--max-back-scroll=NUMBERS "
            "-i,--ignore-case -I,--IGNORE-CASE -j,--jump-target=NUMBERS -J,--status-column -K,--quit-on-intr "
            "-L,--no-lessopen -m,--long-prompt -M,--LONG-PROMPT -n,--line-numbers -N,--LINE-NUMBERS "
            "-p,--pattern=DOLLAR -P,--prompt=DOLLAR -q,--quiet,--silent -Q,--QUIET,--SILENT -r,--raw-control-chars "
            "-R,--RAW-CONTROL-CHARS -s,--squeeze-blank-lines -S,--chop-long-lines -t,--tag=DOLLAR "
            "-u,--underline-special -U,--UNDERLINE-SPECIAL -V,--version -w,--hilite-unread -W,--HILITE-UNREAD "
            "-x,--tabs=NUMBERS -X,--no-init -y,--max-forw-scroll=NUMBERS -z,--window=NUMBERS -~,--tilde "
            "--shift=NUMBERS --file-size --follow-name --incsearch --line-num-width= --mouse --MOUSE --no-keypad "
            "--no-histdups --rscroll= --save-marks --status-col-width= --use-backslash --use-color --wheel-lines= "
            "--quotes= --header= --no-search-headers --redraw-on-quit --exit-follow-on-close -+ -#"
        ),
        writes="-o,--log-file= -O,--LOG-FILE=",
        runs="-k,--lesskey-file= --lesskey-src= --lesskey-content= --lesskey-context= -T,--tag-file=",
        operands="LESS*",
        effects="read",
        can="reads",
    ),
    Program(
        "bat",
        aliases="batcat",
        options=(
            "-A,--show-all --show-nonprintable --nonprintable-notation= --binary= -p,--plain -l,--language= "
            "--fallback-syntax,--fallback-language= -H,--highlight-line= --file-name= -d,--diff --diff-context= "
            "--tabs= --wrap= -S,--chop-long-lines --terminal-width= -n,--number --color= --italic-text= "
            "--decorations= -f,--force-colorization --paging= -P,--no-paging,--no-pager -m,--map-syntax= "
            "--ignored-suffix= --theme= --theme-light= --theme-dark= --list-themes -s,--squeeze-blank "
            "--squeeze-limit= --strip-ansi= --sanitize= --style= -r,--line-range= -L,--list-languages "
            "-u,--unbuffered --no-config --no-custom-assets --completion= --no-lessopen --config-file "
            "--config-dir --cache-dir --diagnostic,--diagnostics -E,--quiet-empty --acknowledgements "
            "--set-terminal-title -h,--help -V,--version"
        ),
        writes="-b,--build -c,--clear --source= --target= --blank --generate-config-file",
        runs="--pager= --lessopen",
        operands="read*",
        syntax="exact",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "od",
        options=(
            "-A,--address-radix= --endian= -j,--skip-bytes= -N,--read-bytes= -S= --strings[=] -t,--format= "
            "-v,--output-duplicates -w,--width[=] -abcdfilosx"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "xxd",
        options=(
            "-c= -cols= -g= -groupsize= -l= -len= -n= -name= -o= -s= -seek= -skip= -R= -a -autoskip -b -bits -C "
            "-capitalize -d -E -EBCDIC -e -h -help -i -include -p -ps -plain -postscript -r -revert -u -v -version"
        ),
        operands="read write",
        syntax="words",
        effects="read",
        can="reads",
    ),
    Program(
        "hexdump",
        aliases="hd",
        options=(
            "-e,--format= -f,--format-file=read -n,--length= -s,--skip= -L,--color[=] -b,--one-byte-octal "
            "-c,--one-byte-char -C,--canonical -d,--two-bytes-decimal -o,--two-bytes-octal -x,--two-bytes-hex "
            "-v,--no-squeezing -h,--help -V,--version"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "hexyl",
        options=("-n,-c,--length,--bytes= -s,--skip= --block-size= --color= --border= -o,--display-offset="),
        operands="read",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "strings",
        options=(
            "-n,--bytes= -t,--radix= -T,--target= -e,--encoding= --unicode= -U= -s,--output-separator= -a,--all "
            "-d,--data -f,--print-file-name -w,--include-all-whitespace -o -h,--help -v,-V,--version -#"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "base64",
        aliases="base32 basenc",
        options=(
            "-d,--decode -D -i,--ignore-garbage -w,--wrap= --base64 --base64url --base32 --base32hex --base16 "
            "--base2msbf --base2lsbf --z85"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "sha256sum",
        aliases="b2sum cksum md5sum sha1sum sha224sum sha384sum sha512sum shasum sum",
        options=(
            "-b,--binary -c,--check -t,--text -z,--zero --tag --ignore-missing -q,--quiet --status --strict -w,--warn "
            "-a,--algorithm= -l,--length= -0,--01 --debug -h,--help -r -s --sysv -U,--UNIVERSAL --untagged "
            "-v,--version"
        ),
        operands="read*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "iconv",
        options=("-f,--from-code= -t,--to-code= -l,--list -c -s,--silent --verbose -?,--help --usage -V,--version"),
        writes="-o,--output=NOWHERE",
        operands="read*",
        effects="read",
        can="writes: -o; reads",
    ),
    Program(
        "fzf",
        options=(
            "-h,--help --man --version --bash --zsh --fish --nushell --popup,--tmux[=] -x,--extended -e,--exact "
            "-q,--query= -f,--filter= --literal --algo= --scheme= --expect= --enabled --disabled --phony "
            "--input --tiebreak= --color[=] --toggle-sort= -d,--delimiter= -n,--nth= --freeze-left= "
            "--freeze-right= --with-nth= --accept-nth= -s,--sort[=] --raw --track --id-nth= --tac --tail= "
            "--smart-case -i,--ignore-case -m,--multi[=] --ansi --mouse --black --bold --layout= --reverse "
            "--cycle --highlight-line --wrap[=] --wrap-word --wrap-sign= --multi-line --keep-right --hscroll "
            "--hscroll-off= --scroll-off= --filepath-word --info= --inline-info --separator= --ghost= "
            "--scrollbar[=] --jump-labels= -1,--select-1 -0,--exit-0 --read0 --print0 --print-query --prompt= "
            "--gutter= --gutter-raw= --pointer= --marker= --marker-multi-line= --sync --async --history-size= "
            "--header= --header-lines= --header-first --footer= --gap[=] --gap-line[=] --ellipsis= "
            "--preview-window= --preview-border[=] --preview-label= --preview-label-pos= --preview-wrap-sign= "
            "--height= --min-height= --border[=] --border-label= --border-label-pos= --list-border[=] "
            "--list-label= --list-label-pos= --input-border[=] --input-label= --input-label-pos= "
            "--header-border[=] --header-label= --header-label-pos= --header-lines-border[=] --footer-border[=] "
            "--footer-label= --footer-label-pos= --style= --unicode --ambidouble --margin= --padding= "
            "--tabstop= --clear --walker= --walker-root=read --walker-skip= --threads="
        ),
        writes=("--history=NOWHERE --profile-cpu= --profile-mem= --profile-block= --profile-mutex= --bench="),
        runs=(
            "--preview= --bind= --listen[=] --listen-unsafe[=] --with-shell= --become= --info-command= --proxy-script="
        ),
        syntax="exact no",
        effects="read",
    ),
    Program(
        "pandoc",
        options=(
            "-f,-r,--from,--read=FORMAT -t,-w,--to,--write=FORMAT -o,--output=write -M,--metadata= "
            "--metadata-file=read --file-scope --sandbox[=] -s,--standalone[=] --template=read -V,--variable= "
            "--variable-json= --wrap= --ascii[=] --toc,--table-of-contents[=] --toc-depth= "
            "--lof,--list-of-figures[=] --lot,--list-of-tables[=] -N,--number-sections[=] --number-offset= "
            "--top-level-division= --resource-path= -H,--include-in-header=read -B,--include-before-body=read "
            "-A,--include-after-body=read --completion= --typst-input= --no-highlight --highlight-style= "
            "--syntax-highlighting= --syntax-definition=read --dpi= --eol= --columns= -p,--preserve-tabs[=] "
            "--tab-stop= --reference-doc=read --self-contained[=] --embed-resources[=] --link-images[=] "
            "--request-header= --no-check-certificate[=] --abbreviations=read --indented-code-classes= "
            "--default-image-extension= --shift-heading-level-by= --base-header-level= --strip-empty-paragraphs "
            "--track-changes= --strip-comments[=] --reference-links[=] --reference-location= "
            "--figure-caption-position= --table-caption-position= --atx-headers --markdown-headings= "
            "--list-tables[=] --listings[=] -i,--incremental[=] --slide-level= --section-divs[=] "
            "--html-q-tags[=] --email-obfuscation= --id-prefix= -T,--title-prefix= -c,--css= "
            "--epub-subdirectory= --epub-cover-image=read --epub-title-page= --epub-metadata=read "
            "--epub-embed-font=read --epub-chapter-level= --split-level= --chunk-template= --ipynb-output= "
            "-C,--citeproc --bibliography=read --csl=read --citation-abbreviations=read --natbib --biblatex "
            "--mathml --webtex[=] --mathjax[=] --katex[=] --gladtex --trace[=] --dump-args[=] --ignore-args[=] "
            "--verbose --quiet --fail-if-warnings[=] --bash-completion --list-input-formats "
            "--list-output-formats --list-extensions[=] --list-highlight-languages --list-highlight-styles "
            "-D,--print-default-template= --print-default-data-file= --print-highlight-style= -v,--version "
            "-h,--help"
        ),
        writes="--log=NOWHERE --extract-media=",
        runs=("-d,--defaults= -F,--filter= -L,--lua-filter= --data-dir= --pdf-engine=ENGINE --pdf-engine-opt="),
        operands="DOCUMENT read*",
        traits="writes",
        effects="read network",
        can="writes: -o, --output; reads",
    ),
    Program(
        "bc",
        options=("-h,--help -i,--interactive -l,--mathlib -q,--quiet -s,--standard -w,--warn -v,--version"),
        operands="read*",
        effects="read",
        can="reads",
    ),
    Program(
        "dc",
        options="-e,--expression=BC -h,--help -V,--version",
        runs="-f,--file=",
        operands="CODE*",
        traits="input",
        effects="read",
    ),
    Program("m4", operands="read*", traits="opaque", effects="code", can="code"),
    Program("mlr", operands="data*", traits="opaque", effects="code", can="code"),
    Program("yes", operands="data*", effects="none"),
    Program("true", options="-*", operands="data*", traits="builtin", effects="none", can="waits"),
    Program("false", options="-*", operands="data*", traits="builtin", effects="none", can="waits"),
    Program("test", options="-*", operands="data*", traits="builtin looks", effects="none", can="reads"),
    Program("[", options="-*", operands="data*", traits="builtin", effects="none", can="reads"),
    Program(
        "date",
        options=(
            "-d,--date= --debug -f,--file=read -I,--iso-8601[=] -R,--rfc-email,--rfc-2822 --rfc-3339= --resolution "
            "-r,--reference=look -u,--utc,--universal -j -n -v= --help --version"
        ),
        writes="-s,--set=+system",
        operands="CLOCK|-j data*",
        effects="read",
        can="reads",
    ),
    Program("cal", aliases="ncal", operands="data*", traits="looks", effects="read", can="reads"),
    Program(
        "man",
        options=(
            "-d,--debug -D,--default --warnings[=] -f,--whatis -k,--apropos -K,--global-apropos -l,--local-file>read "
            "-w,--where,--path,--location -W,--where-cat,--location-cat -R,--recode= -L,--locale= -m,--systems= "
            "-M,--manpath= -S,-s,--sections= -e,--extension= -i,--ignore-case -I,--match-case --regex "
            "--wildcard --names-only -a,--all --no-subpages -r,--prompt= -7,--ascii -E,--encoding= "
            "--no-hyphenation,--nh --no-justification,--nj -p,--preprocessor= -t,--troff -Z,--ditroff -?,--help "
            "--usage -V,--version"
        ),
        writes="-c,--catman -u,--update",
        runs="-C,--config-file= -P,--pager= -H,--html[=] -T,--troff-device[=] -X,--gxditview[=]",
        operands="data*",
        effects="read",
        can="reads",
    ),
    Program(
        "whatis",
        aliases="apropos",
        options=(
            "-d,--debug -v,--verbose -r,--regex -w,--wildcard -l,--long -L,--locale= -m,--systems= -M,--manpath= "
            "-s,--sections,--section= -?,--help -V,--version"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
)

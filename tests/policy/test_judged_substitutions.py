"""Where `shell.substitution` is `judge`: commands in substitutions are judged, and so is where their results land.

Of the tables each line is a verdict, a command (⏎ is a newline, ⇥ a tab) and why. All programs that are named are
listed, so the landing alone decides; `bare` lists the whole tool, which does not answer for what is no data.
"""

import subprocess

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of

LISTED = (
    "7z [ at awk bash bc cat cd command cp crontab curl cut date declare diff docker echo egrep env eval export "
    "find gdb gh git grep head jq let local ls make mkdir mv node npm patch pip printf psql pwd python3 read "
    "readonly rm sed seq set sh sort sqlite3 ssh sudo tail tar tee test timeout touch trap true uname vim wc "
    "xargs "
).split()

JUDGED = """
allow	echo $(ls)	its commands are listed
allow	echo `ls`	also between backquotes
allow	echo "`ls | wc -l` files, `date`"	also several
ask	echo $(id)	what is not listed is asked about
ask	echo "`id`"	between backquotes too
deny	echo $(chmod x)	what is forbidden is denied inside
deny	echo $(echo `chmod x`)	however deep
deny	echo "a `echo \\`chmod x\\``"	also with backquotes in backquotes
deny	source <(echo chmod x)	in what a process substitution prints
deny	. <(printf '%s\\n' ls 'chmod x')	in a text that printf prints
deny	bash <(echo chmod x)	in a script that a process substitution prints
deny	bash < <(echo chmod x)	on the input of a shell
deny	eval "$(echo chmod x)"	in what a substitution prints
deny	$(echo chmod) x	as the name of a command
allow	echo "$(echo chmod x)"	what is printed is data here
deny	cat <<$(ls)⏎x⏎$(ls)	one in a delimiter cannot be judged
deny	x='a[$(ls)]'; echo $((x))	nor can one that a second evaluation executes
deny	echo "${x@P}"	nor the value of a variable
ask	x=$(</etc/hostname)	this starts no command
ask	echo ${ ls; }	this shell's own state may change
"""

DATA = """
allow	echo "$(git rev-parse HEAD)"	an operand of echo
allow	echo -n "on $(git branch --show-current)"	behind literal text
allow	printf '%s\\n' "$(date)" $(ls)	behind the format of printf
allow	printf -- '%s%%n\\n' "$(date)"	this format assigns nothing
allow	test -n "$(git status --porcelain)" && echo dirty	in a test
allow	test "$(uname)" = Linux	between literal operators
allow	[ -z "$(ls)" ] || [ ! -e "$(pwd)" ]	in brackets
allow	[ "$(ls | wc -l)" -gt 3 ]	`[` compares numbers and evaluates nothing
allow	if [[ "$(uname)" == "Linux" && -n $(ls) ]]; then echo x; fi	in a condition
allow	[[ $(uname) =~ ^L ]]	before a pattern
allow	case "$(uname -s)" in Linux) echo x;; esac	in the word of a case
allow	case $(uname) in a) ;; b) ls;; esac; case `uname` in a) ls;; esac	quoted or not
allow	today=$(date +%F); echo "Report for $today"	in an assignment
allow	a=$(date) b="x $(ls)" c=`pwd`; echo "$a$b$c"	several
allow	a+=$(date); files=($(ls) "$(pwd)"); echo "${files[@]}"	also of an array
allow	V=$(date); echo "${V:-$(pwd)}"	also in what is there if it is unset
allow	TZ=$(cat zone) date	before a command, where the name is harmless
allow	local day=$(date); declare -r "year=$(date +%Y)"; readonly z=$(pwd)	by a builtin that declares
allow	grep -c fix <<< "$(git log --oneline -50)"	in a here-string
allow	cat <<EOF⏎commit: $(git rev-parse HEAD) `date`⏎EOF	in a here-document
allow	tee notes.txt <<< "on $(date)" | jq . <<< "$(cat x.json)"	of what only reads it
allow	while read -r f; do echo "$f"; done <<< "$(git branch)"	of a loop too
allow	for f in $(git diff --name-only); do echo "$f"; done	in the words of a loop
allow	for f in a$(ls) `pwd`; do wc -l "src/$f"; done	where each is behind literal text
allow	diff <(sort a) <(sort b)	of what reads the pipe that has a name
allow	grep -c -f <(cut -f1 a) b	where an option reads it
allow	cat < <(ls); while read -r f; do echo "$f"; done < <(sort a)	also as standard input
ask	diff <(id) b	what is not listed is asked about there
deny	diff <(chmod x) b	and what is forbidden is denied
ask	sh <(ls)	a shell runs it
ask	sh < <(ls)	also as standard input
ask	python3 <(ls)	and so does an interpreter
ask	source <(ls)	in this shell
ask	tee >(cat) < a	a pipe into a command is written
ask	xargs -a <(ls) rm	these are names
ask	awk -f <(ls) a	this is a program text
ask	for f in $(ls); do $f; done	a loop's variable may be run
ask	for PATH in $(ls); do ls; done	or mean something to bash
ask	select f in $(ls); do echo "$f"; done	a menu asks a person
allow	git commit -am "Snapshot of $(date +%F)"	in a quoted word behind literal text
allow	git log --oneline --since="$(date +%F)"	the name of an option that takes data is literal text
allow	git tag "v$(cat VERSION)"; git branch "wip-$(date +%s)"	a name for something new
allow	grep -e "x$(date)" "notes-$(date +%F).md"	a file that is read; which, is another question
allow	timeout 5 git commit -m "Snapshot of $(date)"	behind a wrapper
allow	bash -c 'echo "a $(date)"'	in a shell's text
allow	find . -name "x$(date +%F)" -newer "y$(date)"	an operand of an expression
allow	echo "a $(echo "b $(echo "c $(ls)")")"	in one another
allow	echo "$(cat f | grep x "a$(date)")"	inside as well
allow	x=$(printf '%s' "$(ls)") && echo "$x" | sort	in a chain
allow	git commit -m "$(cat f)"	without literal text
allow	git commit -m "$x$(cat f)"	behind what is computed
allow	cp a "b$(cat f)"	a file to write
allow	mv "a$(cat f)" b	a file to move
allow	mkdir -p "out/$(date +%F)"	a directory to make
allow	touch "x$(date)"	a file to touch
allow	tee "log-$(cat f)"	a file to write a pipe to
allow	git log --since "$(cat f)" --author "$(cat f)"	the value of an option, in a word of its own
allow	grep -rn -e "$(cat f)" .	of a short one
allow	gh pr create --title "$(cat f)" --body "$(cat f)"	also of what goes elsewhere, where no value names a file
allow	grep -n "$(date +%Y)" f	digits are no option
allow	seq 1 $(wc -l < f)	nor is a count, nor is it split
allow	test $(wc -l < f) -gt 5; [ $(ls | wc -l) -gt 3 ]	in a test
allow	n=$(ls | wc -l); s=$(date +%s); echo $((n - s - SECONDS))	a number is evaluated through a variable
allow	for i in $(seq 1 400); do echo "$i"; done	however many there are
"""

LITERAL = """
allow	git commit -m "$(cat <<'EOF'⏎Fix $(rm -rf /) and `x`⏎⏎Two (2) :)⏎EOF⏎)"	a quoted here-document is a literal text
allow	git commit -m "$(cat <<"E F"⏎text⏎E F⏎)"	however it is quoted
allow	git commit -m "$(cat <<\\EOF⏎text $x⏎EOF⏎)" -q	with a backslash
allow	git commit -m "$(cat <<-'EOF'⏎⇥⇥text⏎⇥EOF⏎⇥)"	with tabs
allow	git commit -m "$(cat <<EOF⏎plain text⏎EOF⏎)"	not quoted, with nothing to expand
allow	git commit -m "$(cat <<'EOF'⏎text⏎EOF)"	closed in its last line
ask	git commit "$(cat <<EOF⏎text $x⏎EOF⏎)"	with an expansion
ask	git commit "$(cat <<EOF⏎text `date`⏎EOF⏎)"	with a substitution
ask	git commit "$(cat <<EOF⏎a \\ b⏎EOF⏎)"	with a backslash
ask	git commit "$(cat - f <<'EOF'⏎text⏎EOF⏎)"	of another file too
ask	git commit "$(cat <<'EOF'; ls⏎text⏎EOF⏎)"	before another command
ask	git commit "$(cat <<'EOF' | sort⏎text⏎EOF⏎)"	in a pipe
ask	git commit "$(cat <<'EOF'⏎text⏎EOF⏎ls)"	before another command on the next line
ask	git commit -m "$(cat <<'EOF' # x⏎text⏎EOF⏎)" "$(ls)"	what is beside it still counts
ask	git commit -m $(cat <<'EOF'⏎--amend⏎EOF⏎)	not quoted, it is several words
ask	cat() { ls; }; git commit -m "$(cat <<'EOF'⏎text⏎EOF⏎)"	where cat is a function
ask	eval 'cat() { ls; }'; git commit -m "$(cat <<'EOF'⏎text⏎EOF⏎)"	wherever that is said
ask	alias cat=ls; git commit -m "$(cat <<'EOF'⏎text⏎EOF⏎)"	or an alias
ask	case x in y) ;; esac; git commit "$(case x in y) cat <<'EOF'⏎text⏎EOF⏎;; esac)"	or may not run
ask	git "$(cat <<'EOF'⏎-cx.y=z⏎EOF⏎)" log	as an option it is what the option is
ask	"$(cat <<'EOF'⏎ls⏎EOF⏎)" x	a program is still computed
ask	ls > "$(cat <<'EOF'⏎f⏎EOF⏎)"	and a redirection is one
deny	git commit -m "$(cat <<'EOF'⏎text⏎EOF⏎)"; chmod x	and the rest is judged
deny	bash -c "$(cat <<'EOF'⏎chmod x⏎EOF⏎)"	a shell's text is known
ask	ls > "out-$(date +%F)"	the target of a redirection
ask	ls >> $(cat f)	of any
ask	cat < "$(cat f)"	also of one that reads
ask	exec 3<> "$(cat f)"	of a descriptor
"""

ELSEWHERE = """
ask	$(which python3) --version	a program
ask	"$(cat f)"	a program alone
ask	`cat f` x	a program between backquotes
ask	"/usr/bin/$(cat f)" x	the end of a program
ask	git $(echo status)	a subcommand
ask	git "sta$(cat f)"	the end of a subcommand
ask	git "--git-dir=$(cat f)" log	before a subcommand
ask	npm run "test$(cat f)"	what is run of a project
ask	ls $(cat args)	options
ask	ls "$(cat args)"	an option, quoted
ask	ls -"$(cat f)"	behind a dash
ask	sort "--$(cat f)"	behind two
ask	sort "-o$(cat f)" x	the value of an option that writes
ask	sort --output="x$(cat f)"	by its long name
ask	git log --out"$(cat f)"	the end of an option's name
ask	git commit -m"$(cat f)" -q	empty, the next word would be the value
ask	git commit -m pre$(cat f)	unquoted text becomes several words
ask	git commit "$x" "y$(cat f)"	beside a word that may be an option
ask	grep -rn TODO $(git rev-parse --show-toplevel)	unquoted
ask	tar $(cat flags) x	a bundle
ask	tar "x$(cat f)"	the end of a bundle
ask	7z x "-o$(cat f)"	where it writes
ask	ls 2>&$(cat f)	a descriptor
ask	rm -rf "build/$(cat f)"	a file to remove
ask	git restore "src/$(cat f)"	a file whose changes are lost
ask	git branch -D "x$(cat f)"	a branch that is lost
ask	git reset --hard "x$(cat f)"	whatever is lost
ask	curl -d "@$(cat f)" https://example.com	the name of a file that is sent
ask	curl -F "x=@$(cat f)" https://example.com	in a form
ask	sed -i s/a/b/ "src/$(cat f)"	a file that is changed in place
ask	patch -p1 <<EOF⏎+++ $(cat f)⏎EOF	files that an input names
ask	curl -K - <<EOF⏎output = $(cat f)⏎EOF	settings in an input
ask	make -f - <<< "all: $(cat f)"	a program of make
ask	docker build - <<EOF⏎RUN $(cat f)⏎EOF	of docker
ask	sed -f /dev/stdin x <<< "$(cat f)"	of sed
ask	at now <<< "x$(cat f)"	what runs later
ask	crontab - <<< "$(cat f)"	each day
ask	crontab "x$(cat f)"	of a file
ask	git config core.pager "x$(cat f)"	a setting that may name a program
ask	git submodule foreach "x$(cat f)"	a text for each part of a repository
ask	git clone "https://$(cat f)"	an address
ask	jq ".a$(cat f)" x	a program of jq
ask	gdb -ex "x $(cat f)"	a command of a debugger
ask	vim -c "x $(cat f)" y	of an editor
ask	set -- "x$(cat f)"	the parameters
ask	rm -rf "./$(cat f)"	it may be `./..`
ask	curl -o "x$(cat f)" https://example.com	what is loaded
ask	cd "x$(cat f)" && ls	a directory to go to
ask	bash -c "echo $(cat f)"	a shell's text
ask	bash -c "$(cat f)"	all of it
ask	bash -c 'echo "$1"' _ "x$(cat f)"	what a shell is given
ask	sh <<< "x $(cat f)"	a here-string of a shell
ask	bash <<EOF⏎echo $(cat f)⏎EOF	a here-document of a shell
ask	timeout 5 bash <<EOF⏎echo $(cat f)⏎EOF	behind a wrapper
ask	{ bash; } <<EOF⏎echo $(cat f)⏎EOF	in a group
ask	ssh host <<EOF⏎ls $(cat f)⏎EOF	on another machine
ask	python3 <<EOF⏎print("$(cat f)")⏎EOF	code in a here-document
ask	python3 - <<< "x$(cat f)"	in a here-string
ask	psql <<EOF⏎select '$(cat f)'⏎EOF	a text in SQL
ask	sqlite3 a.db <<< "select '$(cat f)'"	the same
ask	xargs rm <<< "x$(cat f)"	names of files
ask	cat 3<<< "$(cat f)"	another descriptor
ask	python3 -c "print('$(git log -1)')"	code
ask	node -e "x=$(cat f)"	code in JavaScript
ask	python3 "scripts/$(cat f).py"	a file with code
ask	sed "s/VERSION/$(cat v)/" README.md	a program of sed
ask	sed -e "s/a/$(cat v)/" x	behind its option
ask	awk "/$(cat p)/ {print}" x	a program of awk
ask	find . -exec "x$(cat f)" {} ;	what find starts
ask	find . -exec sh -c "echo $(cat f)" \\;	the text of what it starts
ask	find "$(cat f)" -name x	an operand that may be an expression
ask	find . -newer x -"$(cat f)"	an expression
ask	ssh host "ls $(cat f)"	a text for a shell elsewhere
ask	eval "echo $(cat f)"	a text that this shell runs
ask	eval echo $(cat f)	in words
ask	trap "echo $(cat f)" EXIT	a trap
ask	alias "x=y $(cat f)"	an alias
ask	git -c "alias.x=!$(cat f)" log	a setting that names a program
ask	git -c user.name="x$(cat f)" log	a setting at all
ask	git rebase --exec "x$(cat f)" main	what an option runs
ask	env "x=$(cat f)" ls	a variable by a wrapper
ask	env -S "ls $(cat f)"	a text that is split
ask	xargs -I"$(cat f)" rm x	what is replaced
ask	sudo -u "x$(cat f)" ls	an option of a wrapper
ask	make "X=$(cat f)"	a variable of make
ask	make "tar$(cat f)"	a target
ask	docker run -v "/a$(cat f):/b" x ls	a directory that is mounted
ask	docker run "image$(cat f)"	what runs in a container
ask	echo $(( $(cat f) + 1 ))	arithmetic
ask	echo "$(( x + `cat f` ))"	between backquotes
ask	(( $(cat f) ))	a command of arithmetic
ask	for ((i = 0; i < $(cat f); i++)); do ls; done	a loop of arithmetic
ask	echo "$[ $(cat f) ]"	the old form
ask	let "x=$(cat f)"	an argument of let
deny	a[$(cat f)]=1	a subscript
ask	a=([$(cat f)]=1)	a subscript in an array
ask	echo "${a[$(cat f)]}"	one that is read
ask	echo "${x:$(cat f):2}"	an offset
ask	echo "${x/$(cat f)/y}"	a pattern
ask	echo "${x:=$(cat f)}"	a default that is assigned
ask	[[ $(cat f) -eq 1 ]]	a comparison that evaluates
ask	[[ 1 -lt "$(cat f)" ]]	on its other side
ask	[[ -v $(cat f) ]]	the name of a variable
ask	[ -v "$(cat f)" ]	in brackets too
ask	test -R "x$(cat f)"	of a reference
ask	[ $(cat f) = x ]	unquoted, an operator may come out of it
ask	[ "$(cat f)" x ]	an operator
ask	[ x "$(cat f)" y ]	an operator in the middle
ask	[ "$(cat f)" = x -o "$(cat g)" = y ]	more words than have one reading
ask	printf "$(cat f)" x	a format
ask	printf "%s$(cat f)" x	the end of a format
ask	printf -v "$(cat f)" x	the name of a variable
ask	printf -v x '%s' "$(cat f)"	the value of one, which could be any
ask	printf 'ab%n' "$(cat f)"	a conversion that assigns
ask	read "$(cat f)"	a name
ask	read -r a["$(cat f)"] < x	a name with a subscript
ask	unset "x$(cat f)"	a name
ask	export "$(cat f)"	a name and its value
ask	export "x$(cat f)"	the end of a name
ask	declare -i n="$(cat f)"	a number is evaluated
ask	declare -n n="x$(cat f)"	a name that means another
ask	declare -a n="$(cat f)"	the text of an array
ask	a=(1); declare "a=$(cat f)"	an array's value is expanded again
ask	f() { local q=(1); local q="$(cat f)"; }; f	also in a function
ask	\\declare n=$(cat f)	unquoted, it is split there
ask	command declare n=$(cat f)	and there
ask	export 'n'=$(cat f)	and there
ask	PATH=$(cat f); ls	where programs are found
ask	IFS=$(cat f); ls	what separates words
ask	LD_PRELOAD=$(cat f) ls	what programs load
ask	LD_PRELOAD=$(cat f); ls	and by itself
ask	BASH_ENV=$(cat f) bash -c ls	what a shell reads
ask	PS4=$(cat f); ls	what a shell expands
ask	export GIT_SSH_COMMAND="x$(cat f)"	what a program runs
ask	GIT_PAGER="x $(cat f)" git log	the same, for one command
ask	select f in $(ls); do echo x; done	or of a choice
ask	case x in $(cat f)) ls;; esac	a pattern
ask	runner "x$(cat f)"	a program that nobody knows
ask	echo() { eval "$1"; }; echo "x$(cat f)"	a function of that name
ask	f() { eval "$1"; }; f "x$(cat f)"	or of any
ask	echo >(cat f)	something that is written to
ask	sort $(cat f) -o x	beside an option that writes
ask	git commit "$(date)"	which may begin as an option
ask	seq 1 $(cat f)	what may be no number
ask	echo $(( $(cat f) + 1 ))	what is evaluated
ask	echo $(( $(wc -l < f) + 1 ))	also a number
ask	cat < "notes-$(cat f)"	the target of a redirection, whatever is before it
ask	echo x > "docs/$(cat f)"	which may go up
ask	echo x > "docs/$(date +..)"	also by what is known
ask	echo x > "docs/$(mktemp)"	or be a path
ask	test $(cat f) -gt 5	what may be an operator
ask	curl -d "$(cat f)" x	the beginning may name a file
"""

USED = """
ask	echo "a $(f() { ls; })"; f	a function is defined inside alone
ask	x=$(cat f); $x	as a program
ask	x=$(cat f); (( x ))	in arithmetic
ask	x=$(cat f); [[ $x -eq 1 ]]	in a comparison
ask	x=$(cat f); echo $((x + 1))	in an expansion
ask	x=$(cat f); bash -c "$x"	as a shell's text
ask	x=$(cat f); eval "$x"	by eval
ask	x=$(cat f); ls > "$x"	as a target
ask	x=$(cat f); sed "$x" y	as a program of sed
ask	x=$(cat f); git $x	as a subcommand
ask	x=$(cat f); sort "$x"	as an option
ask	read -r x <<< "$(cat f)"; $x	as read takes it
ask	read -r x <<< "$(cat f)"; (( x ))	and evaluates it
ask	declare -i x; x=$(cat f)	by a number's attribute
ask	x=$(cat f); printf -v a["$x"] y	as a subscript
ask	v=$(cat f); a=(1); declare "a=$v"	the same, by way of a variable
ask	v=$(cat f); read -a a <<< x; typeset a="$v"	the same, of an array that a builtin fills
ask	v=$(cat f); mapfile a < f; readonly "a=$v"	the same
ask	v=$(cat f); f() { local a=(1); local "a=$v"; }; f	the same, in a function
ask	cat x | echo "a $(bash)"	what it reads of the pipe around it
ask	cat x | echo "a $(psql)"	also a program that runs what it reads
ask	cat x | case "$(psql)" in a) ;; esac	wherever it is
ask	echo "a `cd x; rm $(cat f)`"	inside of backquotes
"""


def rows(*tables):
    return [tuple(line.split("\t")) for table in tables for line in table.strip().splitlines()]


def request(command):
    text = command.replace("⏎", "\n").replace("⇥", "\t")
    return Request("run_shell_command", text, None, Place("/p", "/p", inside=True))


def decided(command, *, bare=False):
    names = (["run_shell_command"] if bare else []) + [f"run_shell_command({name})" for name in LISTED]
    policy = Policy(
        [rule_of(entry, Verdict.ALLOW) for entry in names] + [rule_of("run_shell_command(chmod)", Verdict.DENY)],
        Terms(substitution="judge", exported=("PATH", "HOME")),
    )
    return policy.decide(request(command))


@pytest.mark.parametrize(("verdict", "command", "why"), rows(JUDGED, DATA, LITERAL, ELSEWHERE, USED))
def test_judged(verdict, command, why):
    decision = decided(command)
    assert decision.verdict.word == verdict, [reason.message for reason in decision.reasons] or why
    assert decision.substitution or why == "in brackets too" or "$(" not in command


@pytest.mark.parametrize(("verdict", "command", "why"), rows(ELSEWHERE))
def test_no_tool_answers_for_what_is_no_data(verdict, command, why):
    decision = decided(command, bare=True)
    assert decision.verdict.word == verdict, why
    assert not decision.offers
    assert not decision.needed


def test_what_is_data_may_be_stored_for_the_commands_inside():
    decision = decided('echo "by $(id)"')
    assert decision.needed == ("run_shell_command(id)",)


@pytest.mark.parametrize(("verdict", "command", "why"), rows(DATA, LITERAL, ELSEWHERE, USED))
def test_refused(verdict, command, why):
    """Where substitutions are refused, nothing of this holds."""
    rules = [rule_of("run_shell_command", Verdict.ALLOW)]
    assert Policy(rules).decide(request(command)).verdict is Verdict.DENY, why


# What bash does with a result: it runs the substitution in it (`runs`), or not (`data`).
FACTS = """
data	echo "$v" $v; printf '%s%d\\n' "$v" "$v"
data	[ "$v" = x ]; test -n "$v"; [ "$v" -eq 1 ]; [ "$v" -gt 1 ]
data	[[ $v == x ]]; [[ -n $v ]]; [[ $v =~ x ]]; [[ $v -nt x ]]
data	case $v in x) ;; esac; cat <<< "$v"; cat <<E⏎$v⏎E
data	x=$v; y=($v "$v"); z+=$v; export w="$v"; readonly u="$v"; declare "t=$v"
data	x[1]=$v; x[0]+=$v; : "${n:-$v}" "${x[1]:+$v}"
runs	[[ $v -eq 1 ]]
runs	[[ -v $v ]]
runs	test -v "$v"
runs	(( v ))
runs	echo $((v))
runs	x=abc; echo ${x:v}
runs	let "x=$v"
runs	declare -i x; x=$v
runs	printf -v "$v" x
runs	read "$v" <<< x
runs	a=(1); unset "$v"
runs	x=(1); w="(\\$(echo HIT >&2))"; declare "x=$w"
"""


@pytest.mark.parametrize(("how", "text"), rows(FACTS))
def test_what_bash_does_with_a_result(how, text, tmp_path):
    script = "v='a[$(echo HIT >&2)]'; " + text.replace("⏎", "\n")
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ("\nHIT" in f"\n{done.stderr}") == (how == "runs")

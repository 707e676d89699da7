"""What a text would do, a line a fact: the text, and what the script says of it."""

from __future__ import annotations

import pytest

from asimi.core.syntax import parse

COMMANDS = [
    ("", []),
    (" \t\n\n# nothing\n", []),
    ("git status", [["git", "status"]]),
    ("a;b&c\nd", [["a"], ["b"], ["c"], ["d"]]),
    ("a && b || c | d |& e", [["a"], ["b"], ["c"], ["d"], ["e"]]),
    ("a &&\n# c\n\nb", [["a"], ["b"]]),
    ("echo a#b #c; d\ne", [["echo", "a#b"], ["e"]]),
    ("# c \\\ne", [["e"]]),
    ("ev\\\nil x\\\ny", [["evil", "xy"]]),
    ("i\\\nf a; th\\\nen b; f\\\ni", [["a"], ["b"]]),
    ("a &\\\n& b |\\\n| c", [["a"], ["b"], ["c"]]),
    ("a \\\n  b", [["a", "b"]]),
    ("a\\\r\nb", [["a\r"], ["b"]]),
    ("a\r\nb", [["a\r"], ["b"]]),
    ("a\vb\fc\xa0d\u2003e\u2028f", [["a\vb\fc\xa0d\u2003e\u2028f"]]),
    ("evil\\", [["evil\\"]]),
    ("'a'\"b\"\\c$'d'$\"e\"", [["abcde"]]),
    ("echo '' \"\"", [["echo", "", ""]]),
    ('echo "a\\$b\\x\\"\\\\\\\nc"', [["echo", 'a$b\\x"\\c']]),
    (r"echo $'\x65\166\151l\n\'\u0041\cA'", [["echo", "evil\n'A\x01"]]),
    (r"echo $'\xc3\xa9' $'\xff'", [["echo", "é", "\udcff"]]),
    (r"echo $'a\0b'c", [["echo", "ac"]]),
    (r"echo $'\u00e9'", [["echo", None]]),
    ("$x y", [[None, "y"]]),
    ("echo $ $% a$", [["echo", "$", "$%", "a$"]]),
    (
        "echo * a? [a] [ ] {} {a} {a,b} {1..3} a{b ~ ~/x a~ a=~ a:~ x=a:~",
        [["echo", None, None, None, "[", "]", "{}", "{a}", None, None, "a{b", None, None, "a~", None, "a:~", None]],
    ),
    ("echo '*' \"{a,b}\" \\~ \\* [\\]", [["echo", "*", "{a,b}", "~", "*", "[]"]]),
    ("time a", [["a"]]),
    ("time -p -- a", [["a"]]),
    ("time -p -p a", [["-p", "a"]]),
    ("! time ! a", [["a"]]),
    ("!a b", [["!a", "b"]]),
    ("a | time b", [["a"], ["time", "b"]]),
    ("a |\ntime b", [["a"], ["time", "b"]]),
    ("\\time a", [["time", "a"]]),
    ("x=1 time a", [["time", "a"]]),
    ("time;a", [["a"]]),
    ("!;a", [["a"]]),
    ("coproc a b", [["a", "b"]]),
    ("coproc N { a; }", [["a"]]),
    ("coproc 'a' | b", [["a"], ["b"]]),
    ("coproc time a", [["time", "a"]]),
    ("{ a; }", [["a"]]),
    ("{a; }b", [["{a"], ["}b"]]),
    ("{(a)}", [["a"]]),
    ("(a;b)&(c)", [["a"], ["b"], ["c"]]),
    ("((a);(b))", [["a"], ["b"]]),
    ("((a=1)); b", [["b"]]),
    ("if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]),
    ("if (a) then { b; } fi", [["a"], ["b"]]),
    ("while a; do b; done; until c; do d; done", [["a"], ["b"], ["c"], ["d"]]),
    ("for x in 1 2; do a; done", [["a"]]),
    ("for x do a; done; for x; do b; done; for x\ndo c; done", [["a"], ["b"], ["c"]]),
    ("for x in do; { a; }; select y in 1; { b; }", [["a"], ["b"]]),
    ("for ((i=0;i<1;i++)) { a; }; for ((;;)); do b; done", [["a"], ["b"]]),
    ("case x in a) b;; (c|d) e;& esac) f;; esac", None),
    ("case x in a) b;; (c|d) e;& if) f;;& (esac) g; esac", [["b"], ["e"], ["f"], ["g"]]),
    ("case in in in) a;; esac", [["a"]]),
    ("case x in esac; a", [["a"]]),
    ("f() { a; }; f", [["a"], ["f"]]),
    ("f ( )\n(a)", [["a"]]),
    ("function f { a; }", [["a"]]),
    ("function f() if a; then b; fi", [["a"], ["b"]]),
    ("[[ a && b || ! ( c == d ) ]] && e", [["e"]]),
    ("[ a || b ]", [["[", "a"], ["b", "]"]]),
    ("[ a\nb", [["[", "a"], ["b"]]),
    ("echo then do } ]] { ! in", [["echo", "then", "do", "}", "]]", "{", "!", "in"]]),
    ("x=1 y=2 a", [["a"]]),
    ("x=1", [[]]),
    (">f", [[]]),
    ("1a=2 b", [["1a=2", "b"]]),
    ("a-b=1 c", [["a-b=1", "c"]]),
    ("a\\=1 c", [["a=1", "c"]]),
    ("a[b; c]=1", [[]]),
    ("a=(b c) d", [["d"]]),
    ("a=(x)y d", [["d"]]),
    ("declare -a a=(b c) d=e", [["declare", "-a", None, "d=e"]]),
    ("export a=b c", [["export", "a=b", "c"]]),
    ("cat <<E; a\n$x\nE\nb", [["cat"], ["a"], ["b"]]),
    ("cat <<A <<'B'\na\nA\nb\nB\nc", [["cat"], ["c"]]),
    ("cat <<-E\n\ta\n\t\tE\nb", [["cat"], ["b"]]),
    ("cat <<''\na\n\nb", [["cat"], ["b"]]),
    ("cat <<EOF\nEO\\\nF\nb", [["cat"], ["b"]]),
    ("cat <<E\n\\\nE\nb", [["cat"], ["b"]]),
    ("cat <<'E'\n\\\nE\nb", [["cat"], ["b"]]),
    ("cat <<E &&\nx\nE\nb", [["cat"], ["b"]]),
    ("cat <<E\nb", [["cat"]]),
    ("a 2>f b", [["a", "b"]]),
    ("a x2>f", [["a", "x2"]]),
    ("a 99999999999>f", [["a", "99999999999"]]),
    ("a >&-b", [["a", "b"]]),
    ("a {x}>f {y} >g", [["a", "{y}"]]),
    ("a\x01b", [[None]]),
    ("echo \udcff", [["echo", "\udcff"]]),
]

SUBSTITUTIONS = [
    ("echo $(a)", [("command", "$(a)", ["a"])]),
    ("echo $\\\n(a)", [("command", "$\\\n(a)", ["a"])]),
    ("echo `a \\`b\\``", [("backquote", "`a \\`b\\``", ["a"])]),
    ("echo <(a) >(b)", [("process", "<(a)", ["a"]), ("process", ">(b)", ["b"])]),
    ("echo ${ a; } ${| b; }", [("current", "${ a; }", ["a"]), ("current", "${| b; }", ["b"])]),
    ('echo "<(a) >(b)" \'$(a)\' \\$(a\\) "\\$(a)" "\\`" $\'$(a)\'', None),
    ('echo "<(a) >(b)" \'$(a)\' \\$\\(a\\) "\\$(a)" "\\`" $\'$(a)\'', []),
    ("echo $((1+2)) $[3] $((x[1]))", []),
    ("echo $((1<(2)))", []),
    ("echo $((a); (b))", [("command", "$((a); (b))", ["a", "b"])]),
    ("echo $(( $(a) ))", [("command", "$(a)", ["a"])]),
    ("echo $(( '$(a)' + \"$(b)\" ))", [("command", "$(a)", ["a"]), ("command", "$(b)", ["b"])]),
    (r"echo $(( $'\x24(a)' ))", [("command", r"$'\x24(a)'", [None])]),
    ("echo ${x:-'$(a)'} \"${x#'$(a)'}\" \"${x/'$(a)'/b}\"", []),
    ("echo \"${x:-'$(a)'}\"", [("command", "$(a)", ["a"])]),
    ("echo \"${x:-'}$(a)'}\"", [("command", "$(a)", ["a"])]),
    (r"""echo "${x:-$'\x24(a)'}" """, [("command", r"$'\x24(a)'", [None])]),
    ('echo ${x:-<(a)} "${x:-<(b)}"', [("process", "<(a)", ["a"])]),
    ("echo ${v:'a[$(a)]'}", [("command", "$(a)", ["a"])]),
    ("echo ${a['$(a)']}", [("command", "$(a)", ["a"])]),
    ("a['$(a)']=1", [("command", "$(a)", ["a"])]),
    ("a=(['$(a)']=1 $(b))", [("command", "$(a)", ["a"]), ("command", "$(b)", ["b"])]),
    (": {a['$(a)']}>f", [("command", "$(a)", ["a"])]),
    ("((a['$(a)']))", [("command", "$(a)", ["a"])]),
    ("for ((;$(a);)); do :; done", [("command", "$(a)", ["a"])]),
    ("[[ a == +($(a)) && b =~ ($(b)) ]]", [("command", "$(a)", ["a"]), ("command", "$(b)", ["b"])]),
    ("[[ a == '$(a)' ]]", []),
    ("case $(a) in $(b)) ;; esac", [("command", "$(a)", ["a"]), ("command", "$(b)", ["b"])]),
    ("cat <<E\n$(a) '$(b)' \\$(c)\nE", [("command", "$(a)", ["a"]), ("command", "$(b)", ["b"])]),
    ("cat <<'E'\n$(a)\nE", []),
    ("cat <<E\n<(a)\nE", []),
    ("cat <<E\n${x:-'$(a)'}`b`\nE", [("command", "$(a)", ["a"]), ("backquote", "`b`", ["b"])]),
    ("cat <<E\n$(a\nE\nb", [("unread", "$(a\n", [])]),
    ("cat <<`E`\n`E`", [("delimiter", "`E`", ["E"])]),
    ("echo $(a <<E\n)\nE\n)", [("command", "$(a <<E\n)\nE\n)", ["a"])]),
    ("echo $(a <<E\nx\nE)", [("command", "$(a <<E\nx\nE)", ["a"])]),
    ("echo $(case x in x) a;; esac)", [("command", "$(case x in x) a;; esac)", ["a"])]),
    ("echo $(# )\na)", [("command", "$(# )\na)", ["a"])]),
    ("echo $$(", None),
    ("echo `(`", [("unread", "`(`", [])]),
    ("echo > >(a) <<<$(b)", [("process", ">(a)", ["a"]), ("command", "$(b)", ["b"])]),
    ("f() { $(a); }", [("command", "$(a)", ["a"])]),
    ("echo $($(a))", [("command", "$($(a))", [None])]),
    ("echo ${{ x }} ${=x} ${x@} '${ a; }'", []),
]

REDIRECTIONS = [
    ("a <f >g >>h >|i <>j", ["<f", ">g", ">>h", ">|i", "<>j"]),
    ("a 2>f 0<&3 3<&- >&2 &>g &>>h >&i", ["2>f", "0<&3", "3<&-", ">&2", "&>g", "&>>h", ">&i"]),
    ("a {x}>f {y[1]}<g", ["{x}>f", "{y}<g"]),
    ("a >\\\n> f 2\\\n>g", [">>f", "2>g"]),
    ("a > $x > *", [">None", ">None"]),
    ("{ a; } >f 2>&1 | b", [">f", "2>&1"]),
    ("a <<<'x y'", ["<<<x y"]),
    ("a <<E\nx$\nE", ["<<E=x$\n"]),
    ("a <<E\nx$y\nE", ["<<E=None"]),
    ("a <<-'E'\n\tx\n\tE", ["<<-E=x\n"]),
    ("a <<E\n\\$x\\\ny\\z\nE", ["<<E=$xy\\z\n"]),
    ("a <<E#\nx\nE#", ["<<E#=x\n"]),
    ("a <<$E\nx\n$E", ["<<$E=x\n"]),
    ("[ x > f ]", [">f"]),
]

BINDINGS = [
    ("x=1", ["assign x=1"]),
    ("x+=$y", ["assign x+=None"]),
    ("x=~/a y=a=~ z=*", ["assign x=None", "assign y=a=~", "assign z=*"]),
    ("x= y", ["prefix x="]),
    ("x[a b]=1 y", ["prefix x[a b]=1"]),
    ("x=(a $b [2]=c)", ["assign x=a None None"]),
    (">f x=1 y", ["prefix x=1"]),
    ("x=1 >f y=2 z", ["prefix x=1", "prefix y=2"]),
    ("export x=1 'y=2' z", ["assign x=1", "assign y=2"]),
    ("declare -a x=(1 2) y+=3", ["assign x=1 2", "assign y+=3"]),
    ("for x in a b; do :; done; for y; do :; done", ["for x=a b", "for y="]),
    ("select x in a; do :; done", ["select x=a"]),
    ("coproc a; coproc N { b; }", ["coproc COPROC=", "coproc N="]),
    ("echo ${x:=a} ${y=$b}", ["expansion x=a", "expansion y=None"]),
    ("((x = 1, y++, --z, a[i] += 2, b == 3))", ["arithmetic x=", "arithmetic y=", "arithmetic z=", "arithmetic a[i]="]),
    ("a {x}>f", ["descriptor x="]),
]

EXPANSIONS = [
    ("$x $1 $@ $? ${y} ${10}", ["x", "1", "@", "?", "y", "10"]),
    ("${x:-a} ${x#b} ${x//c/d} ${x:1:2} ${x^^} ${x@P}", ["x :-", "x #", "x //", "x :", "x ^^", "x @P"]),
    ("${#x} ${!x} ${!x@} ${#} ${##} ${!}", ["x #", "x !", "x !@", "#", "# #", "!"]),
    ('${x[1]} ${x[@]} "${x[$y]}"', ["x [1]", "x [@]", "x [$y]", "y"]),
    ("echo '$x' \\$x \"\\$x\"", []),
    ("cat <<E\n$x\nE", ["x"]),
    ("\"${x:-'$y'}\"", ["x :-", "y"]),
    ("${x y}", [" bad"]),
]

EVALUATIONS = [
    ("((x + 1))", ["arithmetic x"]),
    ("echo $((x + $y)) $[z]", ["arithmetic x y", "arithmetic z"]),
    ("a[i]=1; echo ${a[j]} ${a[@]}", ["subscript i", "subscript j"]),
    ("echo ${x:y:z}", ["offset y z"]),
    ("for ((i=0;i<n;i++)); do :; done", ["arithmetic i n"]),
    ("echo $((16#ff + 1))", ["arithmetic"]),
    ("echo $(( $(x) + y ))", ["arithmetic y"]),
    ("echo >&$x >&2 2>&$y", ["again x"]),
]

CONDITIONS = [
    ("[[ -v x && a -eq $b ]]", ["-v x", "-eq a None"]),
    ("[[ x ]]", [" x"]),
    ("[[ ! ( a == b* || c =~ d|e ) ]]", ["== a None", "=~ c d|e"]),
    ("[[ a < b && c > d ]]", ["< a b", "> c d"]),
]


@pytest.mark.parametrize(("text", "expected"), [row for row in COMMANDS if row[1] is not None])
def test_every_simple_command_is_listed_with_its_words(text, expected):
    assert [[word.literal for word in command.words] for command in parse(text).commands] == expected


@pytest.mark.parametrize(("text", "expected"), [row for row in SUBSTITUTIONS if row[1] is not None])
def test_every_executed_substitution_is_listed_and_no_other(text, expected):
    assert [
        (
            found.kind,
            text[found.start : found.end],
            [command.words[0].literal for command in found.script.commands if command.words],
        )
        for found in parse(text).substitutions
    ] == expected


@pytest.mark.parametrize(("text", "expected"), REDIRECTIONS)
def test_every_redirection_is_listed(text, expected):
    found = []
    for one in parse(text).redirections:
        left = f"{{{one.variable}}}" if one.variable else "" if one.descriptor is None else str(one.descriptor)
        body = f"={one.heredoc.literal}" if one.heredoc else ""
        found.append(f"{left}{one.operator}{one.target.literal}{body}")
    assert found == expected


@pytest.mark.parametrize(("text", "expected"), BINDINGS)
def test_every_name_that_the_text_binds_is_listed(text, expected):
    found = []
    for one in parse(text).bindings:
        subscript = "" if one.subscript is None else f"[{one.subscript}]"
        values = " ".join(str(word.literal) for word in one.values)
        found.append(f"{one.how} {one.name}{subscript}{'+' if one.append else ''}={values}")
    assert found == expected


@pytest.mark.parametrize(("text", "expected"), EXPANSIONS)
def test_every_parameter_expansion_is_listed(text, expected):
    found = []
    for one in parse(text).expansions:
        operator = f" {one.operator}" if one.operator else ""
        found.append(one.name + operator + ("" if one.subscript is None else f" [{one.subscript}]"))
    assert found == expected


@pytest.mark.parametrize(("text", "expected"), EVALUATIONS)
def test_every_arithmetic_expression_is_listed_with_its_names(text, expected):
    assert [" ".join((one.kind, *one.names)) for one in parse(text).evaluations] == expected


@pytest.mark.parametrize(("text", "expected"), CONDITIONS)
def test_every_primary_of_a_condition_is_listed(text, expected):
    found = [" ".join((one.operator, *(str(word.literal) for word in one.operands))) for one in parse(text).conditions]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f() { :; }", [("f", True)]),
        ("/bin/ls() (:)", [("/bin/ls", True)]),
        ("function a.b { g() { :; }; }", [("a.b", True), ("g", False)]),
        ("{ f() { :; }; }; a", [("f", True)]),
        ("a && f() { :; }", [("f", False)]),
        ("a && { f() { :; }; }; g() { :; }", [("f", False), ("g", True)]),
        ("f() { :; } & g() { :; } | a", [("f", False), ("g", False)]),
        ("(f() { :; }); if f() { :; }; then :; fi", [("f", False), ("f", False)]),
        ("'f'() { :; }", [("f", False)]),
        ("{ f() { :; }; } < x", [("f", False)]),
        ("f() { :; } && a", [("f", True)]),
        ("a || f() { :; }", [("f", False)]),
        ("echo $((1/0)); f() { :; }", [("f", True)]),
        ("echo $((1/0)); f() { :; }\n a", [("f", False)]),
        ("f() { :; }; echo $((1/0))\n a", [("f", True)]),
        ("readonly x=1; x=2; f() { :; }\n a", [("f", False)]),
        ("echo ${!x?y}; f() { :; }\n a", [("f", False)]),
        ("declare -xi x=1/0; f() { :; }\n a", [("f", False)]),
    ],
)
def test_a_function_is_sure_where_nothing_can_keep_it_from_being_defined(text, expected):
    functions = parse(f"{text}; last").functions
    assert [(function.name, function.holds > len(text)) for function in functions] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a | b", [None, (0, 1)]),
        ("a && b | c | d", [None, None, (1, 2), (2, 3)]),
        ("{ a; b; } | c", [None, None, (0, 2)]),
        ("a | { b; c <f; }", [None, (0, 1), "<"]),
        ("{ a; b <<<x; } <f", ["<", "<<<"]),
        ("a <f 0>g 2<h", [">"]),
        ("a | (b) <f", [None, "<"]),
    ],
)
def test_standard_input_comes_from_the_innermost_that_says_so(text, expected):
    found = []
    for command in parse(text).commands:
        source = command.input
        found.append(source and (getattr(source, "operator", None) or (source.first, source.last)))
    assert found == expected


@pytest.mark.parametrize(
    ("word", "head", "single"),
    [
        ("abc", "abc", True),
        ("a$x", "a", False),
        ('a"b$x"', "ab", True),
        ("a*b", "a", False),
        ("a{b,c}", "a", False),
        ("~/x", "", True),
        ("a'b'$(c)", "ab", False),
        ('"$@"', "", False),
        ('"${x[@]}"', "", False),
        ('"${x[*]}"', "", True),
        ("x=a:~", "x=a:", True),
        ('"*"$x', "*", False),
    ],
)
def test_a_word_knows_how_it_begins_and_whether_it_is_one_field(word, head, single):
    found = parse(f"echo {word}").commands[0].words[1]
    assert (found.head, found.single) == (head, single)


def test_a_command_knows_whether_it_stands_in_a_function():
    script = parse("a; f() { b; }; c")
    assert [command.function for command in script.commands] == [False, True, False]


def test_places_are_those_of_the_text():
    text = "x=1 git 'st' >f; cat <<E\nbody $(run)\nE\n"
    script = parse(text)
    places = [
        *script.commands,
        *script.commands[0].words,
        *script.redirections,
        script.redirections[1].heredoc,
        script.substitutions[0].script.commands[0],
    ]
    assert [text[node.start : node.end] for node in places] == [
        "x=1 git 'st' >f",
        "cat <<E",
        "git",
        "'st'",
        ">f",
        "<<E",
        "body $(run)\n",
        "run",
    ]


def test_the_commands_in_backquotes_have_the_place_of_the_backquotes():
    text = "echo `a \\`b\\``"
    inner = parse(text).substitutions[0].script
    places = [inner.commands[0], inner.substitutions[0], inner.substitutions[0].script.commands[0]]
    assert [text[node.start : node.end] for node in places] == ["`a \\`b\\``"] * 3

"""Random shell scripts that bash accepts, with canaries: command names hidden wherever bash would run a command.

Every production of the grammar is here once, written by hand from the manual and not from the parser, so that the
two can disagree. Nothing in a script is harmful, nor can a small change make it so: its commands do not exist, and no
path in it leaves the directory it runs in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

PIECES = (
    " ",
    "\n",
    "\\\n",
    ";",
    "&",
    "|",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "'",
    '"',
    "`",
    "$",
    "$(",
    "${",
    "((",
    "))",
    "[[",
    "]]",
    "#",
    "\\",
    "=",
    "[",
    "]",
    "if",
    "then",
    "fi",
    "do",
    "done",
    "case",
    "in",
    "esac",
    "for",
    "x",
    "!",
    "time ",
    "<<E",
    "\nE\n",
    ";;",
    "&&",
    "||",
    "|&",
    ">&",
    "<(",
    "$'",
    "coproc ",
    "function ",
    "~",
    "*",
    "2",
    "{fd}",
    "a=(",
    "x[",
    "]=",
    "\t",
    "\r",
    "\v",
    "-",
    ":-",
)
"""What shell text is made of, and what breaks it."""

WORDS = (
    "a",
    "b1",
    "-x",
    "--long=v",
    "a=b",
    "if",
    "then",
    "done",
    "in",
    "esac",
    "time",
    "{",
    "}",
    "!",
    "do",
    "[",
    "]]",
    "a#b",
    "é",
    "~",
    "*",
    "a?",
    "[ab]",
    "{a,b}",
    "{1..3}",
    "{}",
    "x:y",
    "2",
    "%",
    "^",
    "@",
    "=",
    "a==b",
    "[[",
    ":",
)
NAMES = ("x", "y", "abc", "_v", "A1")
SPECIALS = ("x", "1", "@", "*", "#", "?", "$", "!", "-", "0")
UNARY = ("-f", "-n", "-z", "-v", "-e")
BINARY = ("==", "=", "!=", "-eq", "-lt", "<", ">", "=~", "-nt")


class Generator:
    """Writes one script after another.

    Attributes:
        canaries: the names hidden in the script written last.
    """

    def __init__(self, random: random.Random) -> None:
        self.random = random
        self.canaries: list[str] = []
        self.pending: list[str] = []
        self.budget = 0
        self.protected = 0

    def script(self) -> str:
        """A new script."""
        self.canaries, self.pending, self.budget, self.protected = [], [], self.random.randint(3, 40), 0
        text = self.random.choice(("", "", "\n", "# c\n", " ", "#\\\n")) + self.list(top=True)
        return text + (self.newline() if self.pending or self.chance(3) else "")

    # -- choices

    def chance(self, of: int) -> bool:
        return self.random.randrange(of) == 0

    def pick(self, *options):
        self.budget -= 1
        return self.random.choice(options)

    def canary(self) -> str:
        name = f"canary{len(self.canaries)}z"
        self.canaries.append(name)
        return self.disguised(name)

    def disguised(self, name: str) -> str:
        place = self.random.randrange(1, len(name))
        first, last = name[:place], name[place:]
        return self.random.choice(
            (name,) * 6
            + (
                f"{first}\\\n{last}",
                f"'{name}'",
                f'"{name}"',
                f"\\{name}",
                f"{first}''{last}",
                f'{first}"{last}"',
                f"$'{name}'",
                f'$"{name}"',
                f"{first}\\{last}",
                f'"{first}\\\n{last}"',
                "$'" + "".join(f"\\x{ord(character):02x}" for character in name) + "'",
            )
        )

    def blank(self) -> str:
        return self.random.choice((" ",) * 8 + ("  ", "\t", " \\\n", "\\\n ", " \\\n\\\n\t"))

    def gap(self) -> str:
        """What may stand where nothing need stand."""
        return self.random.choice(("",) * 6 + (" ", "\t", "\\\n", " \\\n "))

    def newline(self) -> str:
        """A line's end, and the bodies of the here-documents before it."""
        bodies, self.pending = self.pending, []
        return self.random.choice(("", "", "", " # c", " # it's \" ` $( \\")) + "\n" + "".join(bodies)

    def newlines(self) -> str:
        return "".join(self.newline() for _ in range(self.random.choice((0, 0, 0, 1, 1, 2))))

    def separator(self) -> str:
        return self.random.choice(
            (
                lambda: ";" + self.newlines(),
                self.newline,
                self.newline,
                lambda: "&" + self.newlines(),
                lambda: self.gap() + ";" + self.blank(),
            )
        )()

    def splice(self, text: str) -> str:
        """An operator or reserved word, with a line continuation inside now and then."""
        if len(text) > 1 and self.chance(25):
            place = self.random.randrange(1, len(text))
            return text[:place] + "\\\n" + text[place:]
        return text

    # -- lists

    def list(self, *, top: bool = False) -> str:
        """A list of commands, which ends without a separator."""
        text = self.and_or()
        while self.budget > 0 and not self.chance(2):
            text += self.separator() + self.blank() + self.and_or()
        return text

    def closed(self) -> str:
        """A list that a reserved word may follow."""
        return self.newlines() + self.blank() + self.list() + self.separator() + self.gap()

    def and_or(self) -> str:
        text = self.pipeline()
        while self.chance(5):
            text += self.gap() + self.splice(self.pick("&&", "||")) + self.newlines() + self.gap() + self.pipeline()
        return text

    def pipeline(self) -> str:
        text = self.random.choice(("",) * 12 + ("! ", "time ", "time -p ", "time -- ", "! ! ", "time ! ", "!\\\n "))
        text += self.command()
        while self.chance(5):
            text += self.gap() + self.splice(self.pick("|", "|&", "|")) + self.newlines() + self.gap() + self.command()
        return text

    def command(self) -> str:
        if self.budget <= 0:
            return self.canary()
        return self.pick(
            *(self.simple,) * 7, self.compound, self.compound, self.compound, self.function, self.coprocess
        )()

    def compound(self) -> str:
        text = self.pick(
            self.if_clause,
            self.loop,
            self.for_clause,
            self.arithmetic_for,
            self.case,
            self.subshell,
            self.group,
            self.condition,
            self.arithmetic_command,
        )()
        for _ in range(self.random.choice((0, 0, 0, 1, 2))):
            text += self.gap() + self.redirection()
        return text

    def function(self) -> str:
        name = self.random.choice(("f", "g-h", "bin/ls", "a.b"))
        head = self.random.choice(
            (
                f"{name}(){self.newlines()}{self.gap()}",
                f"{name} ( ) ",
                f"function {name} ",
                f"function {name}(){self.gap()}",
            )
        )
        if head.endswith(" ") is False and head[-1:] not in ("\n", ")", "\t"):
            head += " "
        return head + self.compound()

    def coprocess(self) -> str:
        return (
            "coproc " + self.random.choice((self.compound, self.simple, lambda: "N " + self.compound(), self.canary))()
        )

    def if_clause(self) -> str:
        text = "if" + self.blank() + self.closed() + self.splice("then") + self.blank() + self.closed()
        if self.chance(3):
            text += "elif" + self.blank() + self.closed() + "then" + self.blank() + self.closed()
        if self.chance(3):
            text += "else" + self.blank() + self.closed()
        return text + self.splice("fi")

    def loop(self) -> str:
        return "while" + self.blank() + self.closed() + self.body()

    def body(self) -> str:
        return self.splice("do") + self.blank() + self.closed() + self.splice("done")

    def for_clause(self) -> str:
        text = self.pick("for", "for", "select") + self.blank() + self.random.choice(NAMES)
        kind = self.random.randrange(4)
        if kind == 0:
            text += self.blank() + self.body()
        elif kind == 1:
            text += ";" + self.newlines() + self.gap() + self.body()
        else:
            words = "".join(self.blank() + self.word() for _ in range(self.random.randrange(4)))
            text += self.random.choice((self.blank, self.newline))() + "in" + words
            text += self.random.choice((lambda: ";", self.newline))() + self.newlines() + self.blank()
            text += self.body() if kind == 2 else "{" + self.blank() + self.closed() + "}"
        return text

    def arithmetic_for(self) -> str:
        head = "for ((" + ";".join(self.random.choice(("", self.expression())) for _ in range(3)) + "))"
        return head + self.random.choice((";", " ", ";" + self.newline(), self.newline())) + self.body()

    def case(self) -> str:
        text = (
            "case"
            + self.blank()
            + self.word()
            + self.random.choice((self.blank, self.newline))()
            + "in"
            + self.random.choice((self.blank, self.newline))()
        )
        for _ in range(self.random.randrange(4)):
            patterns = (self.gap() + "|" + self.gap()).join(
                self.pattern() for _ in range(self.random.choice((1, 1, 2)))
            )
            text += self.newlines() + self.gap() + self.random.choice(("", "", "(")) + patterns + self.gap() + ")"
            text += self.random.choice(
                (
                    lambda: "",
                    self.newlines,
                    lambda: self.blank() + self.list(),
                    lambda: self.blank() + self.list() + self.newline(),
                )
            )()
            text += self.gap() + self.splice(self.pick(";;", ";;", ";&", ";;&")) + self.gap()
        if self.chance(3):
            text += self.newlines() + self.blank() + self.pattern() + ")" + self.closed()
        return text + self.newlines() + self.blank() + "esac"

    def pattern(self) -> str:
        return self.random.choice(("a", "*", "'x y'", '"$x"', "[a-z]*", "$x", "\\)", "if", self.word_part()))

    def subshell(self) -> str:
        inner = self.newlines() + self.random.choice((" ", "")) + self.list() + self.random.choice(("", ";", " "))
        if self.pending:
            inner += self.newline()
        return "(" + (" " if inner.startswith("(") else "") + inner + ")"

    def group(self) -> str:
        return "{" + self.random.choice((" ", "\n", "\t", " \\\n")) + self.closed() + "}"

    def condition(self) -> str:
        return "[[" + self.blank() + self.tests(2) + self.random.choice((" ", "\t", " \\\n")) + "]]"

    def tests(self, depth: int) -> str:
        kind = self.random.randrange(7 if depth else 3)
        if kind == 0:
            return self.random.choice(UNARY) + self.blank() + self.word_part()
        if kind == 1:
            return self.word_part() + self.blank() + self.random.choice(BINARY[:7]) + self.blank() + self.word_part()
        if kind == 2:
            return self.random.choice(
                (
                    "a == *(b|c)",
                    "a == @(a b|'x y')*",
                    "x =~ ^(a b|c)$",
                    "a =~ [[:space:]]x",
                    "x != +($x)",
                    f"x == @($({self.inner()})|b)",
                    f"x =~ (${{x:-$({self.inner()})}})",
                )
            )
        if kind == 3:
            return "! " + self.tests(depth - 1)
        if kind == 4:
            return "(" + self.gap() + self.tests(depth - 1) + self.blank() + ")"
        joint = self.random.choice(("&&", "||"))
        return self.tests(depth - 1) + self.blank() + joint + self.newlines() + self.blank() + self.tests(depth - 1)

    def arithmetic_command(self) -> str:
        return "((" + self.gap() + self.expression() + self.gap() + "))"

    def expression(self) -> str:
        return self.random.choice(
            (
                *(
                    "1+1",
                    "x=2",
                    "x++",
                    "a[1]=3",
                    "x ? 1 : 2",
                    "x<<2",
                    "(1)+(2)",
                    "16#ff",
                    "x, y",
                    "1 > 0",
                    "$x+1",
                    "!x",
                ),
                f"$({self.inner()})+1",
                f"a[$({self.inner()})]",
                f"'$({self.inner()})'",
                f'"$({self.inner()})"',
                f"$(( $({self.inner()}) ))",
                "${x:-1}",
            )
        )

    # -- simple commands

    def simple(self) -> str:
        parts = []
        for _ in range(self.random.choice((0, 0, 0, 0, 1, 2))):
            parts.append(self.assignment() if not parts or not self.chance(3) else self.redirection())
        if self.chance(12):
            parts.insert(0, self.redirection())
        if not parts or not self.chance(6):
            parts.append(self.canary())
            count = self.random.choice((0, 0, 1, 1, 2, 3))
            parts += [self.pick(self.word, self.word, self.word, self.redirection)() for _ in range(count)]
        elif parts[-1][-1:] in "<>":
            parts.append(self.canary())
        text = parts[0]
        for part in parts[1:]:
            text += self.blank() + part
        if self.chance(30):
            text += self.blank() + self.random.choice(("declare", "export", "local")) + "x"
        return text

    def assignment(self) -> str:
        return (
            self.random.choice(NAMES)
            + self.random.choice(
                (
                    lambda: "=",
                    lambda: "+=",
                    lambda: "=" + self.word_part(),
                    lambda: "=" + self.word_part(),
                    lambda: f"[{self.expression()}]=" + self.word_part(),
                    lambda: "[x y]=1",
                    lambda: (
                        "=("
                        + self.gap()
                        + self.random.choice((" ", self.newline() if not self.pending else " ")).join(
                            self.word_part() for _ in range(self.random.randrange(4))
                        )
                        + ")"
                    ),
                    lambda: f"=([{self.expression()}]={self.word_part()})",
                    lambda: f"=~/{self.word_part()}",
                )
            )()
        )

    def redirection(self) -> str:
        prefix = self.random.choice(("",) * 5 + ("2", "{fd}", "12"))
        kind = self.random.randrange(9)
        if kind == 0:
            return " " + prefix + self.here_document()
        if kind == 1:
            return " " + self.splice(self.random.choice(("&>", "&>>"))) + self.gap() + "o"
        if kind == 2:
            return " " + prefix + self.random.choice((">&1", ">&-", "<&0", ">&2", "<&-", "<&1-")) + " "
        if kind == 3:
            return " " + prefix + "<<<" + self.gap() + self.word_part()
        if kind == 4:
            return " " + prefix + self.random.choice(("<", ">")) + self.random.choice(" \t") + self.process()
        return (
            " "
            + prefix
            + self.splice(self.random.choice((">", ">>", "<", ">|", "<>")))
            + self.gap()
            + self.random.choice(("o", "o", '"o"', "$o", "o#", self.word_part()))
        )

    def here_document(self) -> str:
        delimiter, written = self.random.choice(
            (
                ("E", "E"),
                ("E", "'E'"),
                ("E", "\\E"),
                ("E", '"E"'),
                ("E F", "'E F'"),
                ("E", "$'E'"),
                ("EOF", "E\\\nOF"),
                ("", "''"),
                ("E$x", "E$x"),
                ("!", "!"),
            )
        )
        quoted = any(character in written.replace("\\\n", "") for character in "'\"\\")
        strip = self.random.choice(("", "", "-"))
        lines = [
            self.random.choice(
                (
                    "text",
                    "  it's",
                    '"',
                    "# x",
                    f" {delimiter}",
                    f"{delimiter}x",
                    "\\$(x)",
                    "canary",
                    "${x:-y}",
                    "$((1+1))",
                    ")",
                    "fi",
                    "\\\\",
                    "\ttab",
                )
            )
            for _ in range(self.random.randrange(4))
        ]
        if not quoted and self.chance(2):
            lines.append(
                self.random.choice(
                    (
                        f"$({self.inner()})",
                        f"`{self.plain_canary()}`",
                        f"'$({self.inner()})'",
                        f"${{x:-$({self.inner()})}}",
                        f"${{x-'$({self.plain_canary()})'}}",
                        f"$(( $({self.inner()}) ))",
                        f"\\\\$({self.inner()})",
                        f"$\\\n({self.plain_canary()})",
                        f'"${{x:-"`{self.plain_canary()}`"}}"',
                    )
                )
            )
        lines = [line for line in lines if line.lstrip("\t") != delimiter and (delimiter or line)]
        if not delimiter:  # in a substitution, bash 5.2 ends such a document at the first line that holds a `)`
            lines = [line for line in lines if ")" not in line]
        tabs = self.random.choice(("", "\t", "\t\t")) if strip else ""
        end = delimiter
        if not quoted and len(end) > 1 and self.chance(4):
            end = end[0] + "\\\n" + end[1:]
        self.pending.append("".join(tabs + line + "\n" for line in lines) + tabs + end + "\n")
        return "<<" + strip + self.gap() + written

    # -- words

    def word(self) -> str:
        return (
            self.random.choice(WORDS)
            if self.chance(2)
            else "".join(self.word_part() for _ in range(self.random.choice((1, 1, 2)))).replace("a$$", "a$w$")
        )

    def word_part(self) -> str:
        if self.budget <= 0:
            return "w"
        return self.pick(
            lambda: "w",
            lambda: "w",
            lambda: "'single $(x) `'",
            lambda: "\\" + self.random.choice("x $'\"()`\\#;"),
            self.double,
            self.double,
            lambda: "$" + self.random.choice(SPECIALS),
            lambda: "${" + self.random.choice(SPECIALS) + "}",
            self.expansion,
            self.expansion,
            self.substitution,
            self.backquote,
            lambda: "$((" + self.gap() + self.expression() + "))",
            lambda: "$[" + self.expression() + "]",
            self.process,
            lambda: "$'a\\'b\\n\\\\'",
            lambda: '$"text"',
            lambda: "a\\\nb",
            lambda: "a$",
            lambda: "a'b'\"c\"",
        )()

    def double(self) -> str:
        parts = "".join(
            self.pick(
                lambda: "text ",
                lambda: "'",
                lambda: '\\"',
                lambda: "$x",
                self.substitution,
                self.backquote,
                self.quoted_expansion,
                lambda: "#",
                lambda: "\n",
                lambda: "\\\n",
                lambda: "<(x)",
                lambda: "$ ",
                lambda: ")",
                lambda: "$((" + self.expression() + "))",
            )()
            for _ in range(self.random.randrange(4))
        )
        return f'"{parts}"'

    def inner(self) -> str:
        """The commands of a substitution, on lines of their own."""
        outer, self.pending = self.pending, []
        text = self.newlines() + self.gap() + (self.list() if self.budget > 0 else self.plain_canary())
        if self.pending:
            text += self.newline()
        self.pending = outer
        if text.lstrip(" \t\\\n").startswith("("):
            text = " " + text
        return text + self.random.choice(("", " ", ";", "\n", " # )\n"))

    def plain_canary(self) -> str:
        name = f"canary{len(self.canaries)}z"
        self.canaries.append(name)
        return name

    def substitution(self) -> str:
        text = self.inner()
        return self.random.choice(("$(", "$(", "$(", "$\\\n(")) + text + ")"

    def process(self) -> str:
        return self.random.choice("<>") + "(" + self.inner() + ")"

    def backquote(self) -> str:
        name = self.plain_canary()
        return self.random.choice(
            (f"`{name}`", f"` {name} \\\\x `", f"`x; {name}`", f"`echo \\`{name}\\``", f"`{name} 'a b'`")
        )

    def expansion(self) -> str:
        name = self.random.choice(NAMES)
        inside = self.inner()
        return self.random.choice(
            (
                f"${{{name}:-$({inside})}}",
                f"${{{name}:=`{self.plain_canary()}`}}",
                f"${{{name}#'$(x)'}}",
                f"${{{name}/$({self.inner()})/y}}",
                f"${{#{name}}}",
                f"${{!{name}}}",
                f"${{{name}:$({self.inner()}):1}}",
                f"${{{name}[$({self.inner()})]}}",
                f"${{{name}:-<({self.inner()})}}",
                f"${{{name}:-'}}'}}",
                f'${{{name}:-"}}"}}',
                f"${{{name}@Q}}",
                f"${{{name}[@]}}",
                f"${{{name}^^}}",
                f"${{{name}:-{{}}",
                f"${{{name}%%*/}}",
                f"${{{name}['$({self.plain_canary()})']}}",
                f"${{{name}:'a[$({self.plain_canary()})]'}}",
                f"${{\\\n{name}\\\n:\\\n-$({self.inner()})}}",
                f"${{{name}:-${{{name}:-$({self.inner()})}}}}",
                f"${{{name}:?\\}}}}",
            )
        )

    def quoted_expansion(self) -> str:
        name = self.random.choice(NAMES)
        return self.random.choice(
            (
                f"${{{name}:-'$({self.plain_canary()})'}}",
                f"${{{name}:-'}}$({self.plain_canary()})'}}",
                f'${{{name}:-"$({self.inner()})"}}',
                f"${{{name}#'$(x)'}}",
                f"${{{name}[@]}}",
                f"${{{name}:-`{self.plain_canary()}`}}",
                f"${{{name}:-it}}",
                f"${{{name}+<(x)}}",
                self.expansion().replace(":-<(", ":-$("),  # in double quotes no process is substituted
            )
        )

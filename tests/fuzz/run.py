"""Looks for shell text that asimi reads otherwise than bash: `python -m fuzz.run SECONDS [SEED]` in tests/.

Three questions to bash for each script: does it accept what we accept, do we see each canary that it would parse, and
do we see each command that it runs? What differs is printed with its seed; the exit status is 1 if a command was unseen
or the reader crashed. To accept what bash refuses is no danger, for bash then runs less than we list; a few such texts
are known, with substitutions that bash prints and reads again.
"""

from __future__ import annotations

import collections
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from fuzz.generator import PIECES, Generator
from fuzz.oracle import accepts, ran

from asimi.core.errors import ShellSyntaxError
from asimi.core.syntax import parse

if TYPE_CHECKING:
    from asimi.core.syntax.nodes import Script


def seen(script: Script) -> tuple[set[str | None], bool]:
    """The command names in a script and its substitutions, and whether any of these could not be read.

    What could not be read is refused whatever is in it, and where it ends is anybody's guess.
    """
    names = {command.words[0].literal for command in script.commands if command.words}
    unread = False
    for substitution in script.substitutions:
        inner, lost = seen(substitution.script)
        names |= inner
        unread = unread or lost or substitution.kind == "unread"
    return names, unread


def findings(seed: int) -> tuple[collections.Counter[str], list[str]]:
    """Try one seed: a valid script, and mutations of it."""
    counts: collections.Counter[str] = collections.Counter()
    found: list[str] = []
    generator = Generator(random.Random(seed))
    choose = generator.random
    text = generator.script()
    for round_number in range(4):
        counts["scripts"] += 1
        try:
            script = parse(text)
        except ShellSyntaxError as error:
            script = None
            message = error.message
        except Exception as error:  # noqa: BLE001 (a crash is what we look for)
            found.append(f"CRASH seed {seed}.{round_number} {error!r}\n{text!r}")
            return counts, found
        valid = accepts(text)
        if valid is None:
            counts["bash crashed"] += 1
            return counts, found
        counts["valid"] += valid
        if round_number == 0:
            counts["generated"] += 1
            counts["generated valid"] += valid
        if script is None and valid:
            counts["refused"] += 1
            if round_number == 0:
                found.append(f"refused seed {seed} {message}\n{text!r}")
        elif script is not None and not valid:
            counts["accepted invalid"] += 1
            found.append(f"accepted invalid seed {seed}.{round_number}\n{text!r}")
        elif script is not None:
            names, unread = seen(script)
            if round_number == 0:
                missing = [
                    name
                    for name in generator.canaries
                    if name in text.replace("\\\n", "") and name not in names and not unread
                ]
                if missing:
                    found.append(f"UNSEEN seed {seed} {missing}\n{text!r}")
            if None not in names and choose.randrange(4) == 0:
                executed = ran(text)
                counts["run"] += executed is not None
                missing = [
                    name for name in executed or () if name not in names and not unread and name != "COPROC"
                ]  # bash's own mistake in a substitution
                if missing:
                    found.append(f"RUN UNSEEN seed {seed}.{round_number} {missing} not in {names}\n{text!r}")
        text = mutated(text, choose)
    return counts, found


def mutated(text: str, choose: random.Random) -> str:
    """The text with something small changed."""
    for _ in range(choose.choice((1, 1, 1, 2, 3))):
        place = choose.randrange(len(text) + 1)
        length = choose.choice((0, 0, 1, 1, 2, 5))
        insert = choose.choice(PIECES) if choose.randrange(3) else ""
        if choose.randrange(8) == 0:
            other = choose.randrange(len(text) + 1)
            insert = text[other : other + choose.randrange(1, 20)]
        text = text[:place] + insert + text[place + length :]
    return text


def main() -> int:
    """Run for some seconds; print the figures and every finding."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    print(f"seed {seed}, {seconds:g} s", flush=True)  # noqa: T201 (its output)
    total: collections.Counter[str] = collections.Counter()
    shown = 0
    start, workers = time.monotonic(), os.cpu_count() or 1
    with ProcessPoolExecutor(workers) as pool:
        while time.monotonic() - start < seconds:
            for counts, found in pool.map(findings, range(seed, seed + 40 * workers), chunksize=20):
                total.update(counts)
                for finding in found:
                    shown += not finding.startswith(("refused", "accepted"))
                    print(finding, flush=True)  # noqa: T201 (its output)
            seed += 40 * workers
    figures = ", ".join(f"{name} {count}" for name, count in sorted(total.items()))
    print(f"{figures}; next seed {seed}; {shown} findings")  # noqa: T201 (its output)
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())

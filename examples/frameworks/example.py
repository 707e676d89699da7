"""What the examples share: what the fake models propose, the policy, and the person of the example."""

from __future__ import annotations

from pathlib import Path

ALLOWED, DENIED, ASKED = "echo hello", "rm hello.txt", "touch hello.txt"
POLICY = str(Path(__file__).with_name("policy.toml"))


def says_yes(question: str) -> bool:
    """Ask on standard input; whatever is not a clear yes is a no."""
    print(f"\n{question}\n")
    try:
        return input("Run it? [y/N] ").strip().lower() == "y"
    except EOFError:
        return False

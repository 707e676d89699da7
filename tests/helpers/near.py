"""A near end that runs one command on a host, and prints its result: what may be killed in a test."""

import sys

from helpers.hosts import Hosted, host_at

if __name__ == "__main__":
    home, root, command, silence = sys.argv[1:]
    it = Hosted(home, root, host_at(home, root), silence=float(silence))
    sys.stdout.write(f"{it(command)}\n")

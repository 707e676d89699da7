"""Leads to a program of its own, as ssh does: copies between its standard streams and that program's."""

import os
import subprocess
import sys
import threading


def copy(source, sink):
    try:
        while data := os.read(source, 1 << 16):
            view = memoryview(data)
            while view:
                view = view[os.write(sink, view) :]
    except OSError:
        pass
    os.close(sink)


if __name__ == "__main__":
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    threading.Thread(target=copy, args=(0, os.dup(process.stdin.fileno())), daemon=True).start()
    process.stdin.close()
    copy(process.stdout.fileno(), 1)
    sys.exit(process.wait())

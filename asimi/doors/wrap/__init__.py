"""`asimi wrap`: a program in a box, and the one gate of that session, outside.

::

    client    what is started inside: hands words and input to the gate, and prints what comes back
    session   the gate: hears clients, judges calls as in a box, lets questions wait for a person elsewhere
    summary   what came of a session, in a few lines
"""

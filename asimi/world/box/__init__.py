"""A box around a whole program, mostly an agent: limits what it may write, read and reach.

::

    profiles   what each agent needs, as data
    layout     what is writable, read-only, hidden and held for one program in one project, as a value
    box        starts the program in the box by bubblewrap, and ends all of it
    keeping    the parent of bubblewrap: ends the box and removes what it made, however asimi has ended
    holding    checks that all mounts are still there, and puts them back
    appearing  finds such names deeper in the project
    network    leads to the names that the box reaches
    terminal   gives the program the person's terminal, and shows questions over it
    drawing    cuts what the program prints down to drawing
"""

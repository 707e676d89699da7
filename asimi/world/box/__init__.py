"""A box around a whole program, mostly an agent: what it may write, read and reach, and what keeps it so.

::

    profiles   what each agent needs, as data
    layout     what is writable, read-only, hidden and held for one program in one project, as a value
    box        starts the program in there by bubblewrap, and ends all of it
    keeping    the parent of bubblewrap: ends the box and removes what it made, when asimi has ended by whatever way
    holding    looks whether all mounts are still there, and puts them back
    watching   moves away what runs by itself and appears where nothing can hold its name
    appearing  finds such names deeper in the project
    network    the names that it reaches
    terminal   the person's terminal while the program has it, and questions over the program
    drawing    what the program prints, cut down to drawing
"""

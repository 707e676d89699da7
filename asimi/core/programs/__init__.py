"""What is known about programs, as data; no code decides here.

Which start other programs, which options make a reader write or execute, where a subcommand stands, which variables
change what a command does.
"""

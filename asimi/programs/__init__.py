"""What is known about programs, as data: which start other programs, which options make a reader write or execute,
where a subcommand stands, which variables change what a command does. No code decides here.
"""

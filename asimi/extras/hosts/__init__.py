"""Runs commands on another machine, through `asimi executor` there, over the standard streams of any program."""

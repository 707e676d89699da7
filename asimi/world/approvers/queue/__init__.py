"""A person elsewhere, whom a question waits for: `approver` asks, `desk` is where it is answered.

Between the two are `entries`, the directory of questions, and `answers`, the socket that a yes comes through.
"""

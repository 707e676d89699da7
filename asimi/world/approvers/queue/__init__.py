"""Questions to a person elsewhere: `approver` asks, and the person answers at a `desk`.

Between the two are `entries`, the directory of questions, and `answers`, the socket that answers go through.
"""

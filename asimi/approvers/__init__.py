"""Whoever can be asked: each module holds one `Approver`, and `compose` chooses."""

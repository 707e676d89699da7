"""The person at this terminal: `approver` asks, `device` is the terminal, `edit` a line that is typed there."""

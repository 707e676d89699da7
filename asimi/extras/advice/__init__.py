"""What asimi says of rules when it is asked: `policy lint`, `suggest` and `replay`."""

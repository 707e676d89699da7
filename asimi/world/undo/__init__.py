"""What was in a project before each call that may change it, and how it comes back."""

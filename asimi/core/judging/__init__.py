"""From what a request would do to a verdict: rules, whether they are about a command, and which of them wins."""

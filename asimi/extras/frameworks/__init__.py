"""asimi as a tool of agent frameworks, each with the framework's own way to ask a person: one module each."""

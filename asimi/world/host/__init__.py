"""This machine: its files, its processes, its bash and the project on it. The other parts of the world build on it."""

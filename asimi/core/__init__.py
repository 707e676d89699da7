"""Decides and touches nothing: it reads no file and starts no process."""

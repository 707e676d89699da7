"""Exec rules: deny rules that also hold for what a command starts, whatever its text says (`enforce = "exec"`).

enforcing    exec rules around one call, and who hears what was refused
supervising  who answers the kernel's questions about executions, and who does when asimi has ended
execs        what deny rules say of an execution
identity     which named program a file is
images       what a process is about to execute, and what it executes
notify       the questions and answers themselves (seccomp_unotify(2))
"""

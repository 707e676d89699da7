"""Telemetry: what the log says of calls, sent to a receiver of OpenTelemetry.

A `sender` reads the log as whoever keeps a copy of it does, makes `events` of its lines, and hands them to the
`exporter`, the only module that loads OpenTelemetry. It works in a process of its own beside a process that stays, so
that a receiver which is slow, down or hostile costs no call anything.
"""

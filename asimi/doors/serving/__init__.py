"""The door that a stream comes through: JSON tool calls in, one line of JSON for each out.

Bytes become JSON in `values`, JSON a call in `dialects`, a call an answer in `service`.
"""

"""A team: what the gates, relays and approvers of several machines share.

A gate asks through the `relay` of its machine (`approver`, `line`); a person answers at a `desk` elsewhere. The relay
and the server between them only carry: an answer counts because of its signature (`signing`), which the gate that
asked checks against what it asked (`answers`).
"""

"""The ways in. A door translates and never decides."""

"""The ways to touch the world; none of them knows another."""

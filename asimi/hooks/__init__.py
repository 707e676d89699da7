"""What the settings of agents name. This path never changes; the rest is in `asimi.doors.hooks`."""

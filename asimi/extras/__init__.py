"""What the gate does without: each folder is an extra, which imports the gate and no other extra."""

"""Whatever runs commands: `local` on this machine, `jobs` for what they leave running."""

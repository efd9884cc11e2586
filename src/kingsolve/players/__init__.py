"""Computer players, and what they are used for: playing a deal out, and judging what was played."""

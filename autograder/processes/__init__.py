"""Child processes: how they start, what they use, frames between them, files that they share."""

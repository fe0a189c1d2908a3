"""Which submissions are alike beyond what many write: a hint for a person, never a mark."""

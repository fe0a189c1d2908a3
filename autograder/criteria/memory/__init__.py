"""Memory: the compiled program needs little more scratch space than the lesson's own solution."""

"""autograder: checks student functions for outputs, purity, compilations and speed."""

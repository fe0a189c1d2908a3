"""Outputs: the exported program computes the right results."""

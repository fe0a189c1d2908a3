"""Grading: one notebook to one set of reports, step by step."""

"""Grading a whole class: in parallel, resumable, recorded by nbgrader's own single writer."""

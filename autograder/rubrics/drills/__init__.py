"""The drills of the lessons: one module a lesson; each defines `rubric`, with `practice=True`."""

"""The learner's side of the command line: a course folder, its progress, and what comes next.

One module a command; what they share is in `folder` (the notebooks), `records` (what is kept in
`.autograder/`), `checking` (grading a notebook once) and `standing` (what has been reached).
"""

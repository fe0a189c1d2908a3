"""The learner's side of the command line: a folder of notebooks, its progress, what comes next.

The commands share `folder` (the notebooks), `notebook_record` (what `.autograder/` keeps),
`checking` (checks a notebook once) and `standing` (what was reached).
"""

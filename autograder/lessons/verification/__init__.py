"""`autograder verify`: starters and wrong submissions fail as intended, right ones pass.

It needs a checkout: the lessons, and the submissions under `autograder/tests/submissions`.
"""

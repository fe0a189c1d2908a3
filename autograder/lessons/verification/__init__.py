"""`autograder verify`: starters and wrong submissions fail as intended, right ones pass.

It needs a lesson folder: the lessons, their rubrics, and the submissions.
"""

"""`python -m autograder`: the command line, where its script is not on the path."""

from autograder.cli import app

app(prog_name="autograder")

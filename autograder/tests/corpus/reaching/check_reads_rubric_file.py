# ruff: noqa
from autograder import check

try:
    proof = check("nothing", rubric="/scratch/evil_rubric.py")
except Exception as e:
    proof = e
# Runs a Python file, where cells run in a `__main__` module as the worker does it.
# CHECK: os.path.exists("/scratch/evil_rubric_ran")

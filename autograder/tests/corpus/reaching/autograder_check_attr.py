# ruff: noqa
from autograder import check
import autograder

f = check
f.planted = 1
proof = f.planted
# CHECK: __import__('autograder').check.planted

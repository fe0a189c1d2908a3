"""Purity: no side effects, and a result that depends on the arguments alone."""

from autograder.purity import integrity
from autograder.purity.check import check_purity as check_purity

integrity.seal()

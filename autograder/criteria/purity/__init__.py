"""Purity: no side effects, and a result that depends on the arguments alone."""

from autograder.criteria.purity import integrity
from autograder.criteria.purity.observe import check_purity as check_purity

integrity.record()

"""Purity: no side effects, and a result that depends on the arguments alone."""

from autograder.criteria.purity.experiment_rules import callback_finding as callback_finding
from autograder.criteria.purity.observe import check_purity as check_purity
from autograder.criteria.purity.observe import remember_state as remember_state

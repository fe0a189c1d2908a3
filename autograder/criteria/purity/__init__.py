"""Purity: no side effects, and a result that depends on the arguments alone."""

from autograder.criteria.purity import process_state
from autograder.criteria.purity.effect_free import is_effect_free as is_effect_free
from autograder.criteria.purity.findings import callback_finding as callback_finding
from autograder.criteria.purity.observe import check_purity as check_purity
from autograder.criteria.purity.observe import remember_state as remember_state

process_state.record()

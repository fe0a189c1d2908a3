"""How often, where and why a student's function compiles."""

from __future__ import annotations

from autograder.criteria.compilations.budget import check_compilations as check_compilations
from autograder.criteria.compilations.count import count_compilations as count_compilations
from autograder.criteria.compilations.one_program import eager_equations as eager_equations
from autograder.criteria.compilations.one_program import own_programs as own_programs
from autograder.criteria.compilations.records import CallRecord as CallRecord
from autograder.criteria.compilations.timeline import count_with_repeats as count_with_repeats
from autograder.criteria.compilations.timeline import timeline_of as timeline_of

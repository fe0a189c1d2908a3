"""What only another process shows: hashes, the order of sets, addresses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.criteria.purity.judge import judge_second_process
from autograder.lessons.verification.cases import CaseText
from autograder.model.program import Program
from autograder.programs.exported import export_program
from autograder.programs.runner import LocalRunner
from autograder.tests.benchmarks.purity_corpus import arguments_of, expected
from autograder.tests.helpers.corpus import corpus_cases, load, write_case
from autograder.tests.helpers.fast_tier import mostly_slow

_EXPORT = """
import sys
from pathlib import Path
from autograder.tests.criteria.purity.test_two_processes import exported
sys.stdout.buffer.write(exported(Path(sys.argv[1])).blob)
"""


def exported(path: Path) -> Program:
    module = load(path)
    return export_program(module.f, arguments_of(module)(), located=True)


@pytest.mark.slow
@pytest.mark.parametrize("case", mostly_slow(corpus_cases("two_processes")))
def test_the_program_of_another_process_differs(case: CaseText, tmp_path: Path) -> None:
    path = write_case(case, tmp_path)
    here = exported(path)
    found = []
    for seed in ("1", "2", "3"):  # one may give the same order
        command = [sys.executable, "-c", _EXPORT, str(path)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        other = Program(done.stdout, here.names)
        found.append(judge_second_process([here], [other], LocalRunner()))
    assert expected(case).rule in {f.rule for f in found if f is not None}

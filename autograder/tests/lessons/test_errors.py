"""The index of error messages: JAX still raises each of them, and a lesson is about it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.lessons.errors import read_entries, write_index
from autograder.model.rubric_files import rubric_names

ENTRIES = read_entries()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["message"][:40])
def test_error_is_raised(entry):
    with pytest.raises(Exception) as caught:
        exec(entry["snippet"], {"jax": jax, "jnp": jnp, "np": np})
    assert caught.type.__name__ == entry["error"]
    said = str(caught.value)
    assert entry["message"] in said or entry.get("newer", "\0") in said


def test_there_are_many_and_each_once():
    assert len({entry["message"] for entry in ENTRIES}) == len(ENTRIES) >= 30


def test_each_has_a_cause_and_a_lesson():
    for entry in ENTRIES:
        assert entry["cause"].endswith(".") and "|" not in entry["message"] + entry["cause"]
        assert set(entry["lessons"]) & set(rubric_names()), entry["message"]


def test_index_links_to_the_notebooks_of_the_course():
    text = write_index({"tracing": "01_tracing.ipynb"})
    assert "[tracing](01_tracing.ipynb)" in text and "static_branch]" not in text

"""Which columns of covariates are numbers and which factors; what is not certain is asked about."""

import numpy as np
import pytest

from plnkit.covariates import code_covariates
from plnkit.csv_files import TableError
from plnkit.problems import DataWarning
from plnkit.tests.needs import need
from plnkit.tests.tables import read

pd = need("pandas")

COUNTS = "a,b\n1,2\n3,4\n5,1\n2,2\n"


def read_table(folder, text, *factors):
    covariates = read(folder, counts=COUNTS, covariates=text, factors=factors).covariates
    assert covariates is not None
    return covariates


def code(folder, text, *factors):
    return code_covariates(read_table(folder, text, *factors), "t.csv")


def refuse(folder, text, *factors):
    with pytest.raises(TableError) as error:
        code(folder, text, *factors)
    return str(error.value)


def column(*cells, name="x"):
    return "\n".join((name, *cells)) + "\n"


def test_text_becomes_indicators_of_all_levels_but_the_first(tmp_path):
    design, notes = code(tmp_path, "h,tree\n1.5,oak\n2,ash\n-3e1,oak\n.5,elm\n")
    assert notes == ["t.csv: tree is a factor of 3 levels: ash (the reference), elm, oak."]
    right = {
        "intercept": [1.0] * 4,
        "h": [1.5, 2, -30, 0.5],
        "tree_elm": [0.0, 0, 0, 1],
        "tree_oak": [1.0, 0, 1, 0],
    }
    pd.testing.assert_frame_equal(design, pd.DataFrame(right))


def test_true_and_false_are_levels(tmp_path):
    design, notes = code(tmp_path, column("TRUE", "FALSE", "FALSE", "TRUE"))
    assert list(design["x_TRUE"]) == [1, 0, 0, 1] and "FALSE (the reference), TRUE." in notes[0]


def test_numbers_are_levels_where_the_user_says_so(tmp_path):
    design, notes = code(tmp_path, column("10", "2", "2.0", "1"), "x")
    assert list(design.columns) == ["intercept", "x_2", "x_10"]
    assert list(design["x_2"]) == [0, 1, 1, 0]
    assert notes == ["t.csv: x is a factor of 3 levels: 1 (the reference), 2, 10."]


@pytest.mark.parametrize(
    "cells", [("300 m", "20 m", "5 m", "5 m"), ("2,6", "1", "1", "3"), ("2026-05-01",) * 4, "abcd"]
)
def test_any_text_is_a_level_where_the_user_says_so(tmp_path, cells):
    text = column(*(f'"{cell}"' for cell in cells))
    table = read_table(tmp_path, text, "x")
    assert list(table["x"]) == list(cells)
    assert refuse(tmp_path, text)


@pytest.mark.parametrize("factors", [[], ["x"]])
def test_a_factor_of_one_level_is_left_out_and_said(tmp_path, factors):
    cell = "7" if factors else "oak"
    design, notes = code(tmp_path, f"x,y\n{cell},1\n{cell},2\n{cell},3\n{cell},4\n", *factors)
    assert list(design.columns) == ["intercept", "y"]
    assert notes == [f"t.csv: x is {cell} in every row, and is left out."]


@pytest.mark.parametrize("name", ["intercept", "(Intercept)", "one"])
def test_a_column_of_ones_is_the_intercept(tmp_path, name):
    design, notes = code(tmp_path, f"{name},x\n1,2\n1,4\n1,3\n1.0,7\n")
    assert list(design.columns) == [name, "x"]
    assert notes == [f"t.csv: {name} is 1 in every row: it is the intercept, none is added."]


def test_another_covariate_with_the_intercepts_name(tmp_path):
    message = refuse(tmp_path, column("1", "2", "1", "1", name="intercept"))
    assert message.startswith("t.csv: column intercept is not 1 in every row") and message.endswith(
        "Rename the column."
    )


@pytest.mark.parametrize(
    ("cells", "line", "reported"),
    [
        (["20", "300 m", "4", "1"], 3, "'300 m', but of its 4 cells 3 are numbers and 1 are not."),
        (["20", '"2,6"', "4", "1"], 3, "'2,6', but of its 4 cells 3 are numbers and 1 are not."),
        (["20", "4", "four", "x"], 4, "'four', but of its 4 cells 2 are numbers and 2 are not."),
        (["a", "b", "b", "4"], 5, "'4', but of its 4 cells 1 are numbers and 3 are not."),
        (["3 m", "4 m", "4 m", "5m"], 2, "'3 m', and all cells begin as numbers do."),
        (['"1,5"', '"2,5"', '"1,5"', '"2,5"'], 2, "'1,5', and all cells begin as numbers do."),
        (["$5", "\u22125", "> 7", "12%"], 2, "'$5', and all cells begin as numbers do."),
        (["May 2026", "May 2026", "Jun 2026", "Jun 2026"], 2, "'May 2026', a date as in all"),
        (["low", "#DIV/0!", "NaT", "low"], 3, "'#DIV/0!', which marks a missing value (2 such ent"),
        (["<5", "<5", "> 7", "12%"], 2, "'<5', and all cells begin as numbers do."),
        (["2026-05-01", "2026-05-01", "2026-06-01", "2026-07-01"], 2, "'2026-05-01', a date as in"),
        (["1.5.26", "1.5.26", "2.5.26", "1.6.26"], 2, "'1.5.26', a date as in all rows. Write"),
        (["5/1/2026 10:30", "5/2/2026", "5/2/26", "5/1/2026"], 2, "'5/1/2026 10:30', a date as in"),
        (
            ["1 May 2026", '"May 2, 2026"', "03-Jun-26", "1 May 2026"],
            2,
            "'1 May 2026', a date as in",
        ),
        (["20260501", "20260501", "20260601", "20260701"], 2, "'20260501', a date as in all rows."),
        (
            ["None", "low", "low", "None"],
            2,
            "'None', which marks a missing value (2 such entries).",
        ),
        (
            ["low", "low", "NA", "high"],
            4,
            "'NA', which marks a missing value. Fill it in, or leave",
        ),
        (["1", "2", "n/a", "4"], 4, "'n/a', which marks a missing value. Fill it in, or leave the"),
        (["1", "2", '""', "4"], 4, "empty. Fill it in, or leave the sample out of all files;"),
    ],
)
def test_what_is_not_certain_is_refused(tmp_path, cells, line, reported):
    message = refuse(tmp_path, "y,x\n" + "".join(f"0,{cell}\n" for cell in cells))
    assert message.startswith(f"covariates.csv: line {line}, column x is {reported}")
    assert (
        "missing" in reported
        or reported.startswith("empty")
        or "If x is a factor, give --factor with its name;" in message
    )


@pytest.mark.parametrize(
    "cells",
    [
        ["1234.5", "2026.1", "1e3", "7"],
        ["20269901", "20260501", "20260601", "20260701"],
        ["2026", "2026", "2025", "2024"],
        ["1", "0", "0", "1"],
    ],
)
def test_numbers_that_are_no_dates(tmp_path, cells):
    np.testing.assert_array_equal(
        read_table(tmp_path, column(*cells))["x"], list(map(float, cells))
    )


def test_decimal_commas(tmp_path):
    table = read_table(tmp_path, "x;y\n1,5;oak\n2;oak\n3;ash\n-0,25;oak\n")
    assert list(table["x"]) == [1.5, 2, 3, -0.25]


def test_a_text_of_its_own_in_each_row(tmp_path):
    message = refuse(tmp_path, "h,leaf\n1,a\n2,b\n3,c\n4,d\n")
    assert message == (
        "covariates.csv: line 2, column leaf is 'a', and each row has another text. A factor needs "
        "levels that samples share. If leaf is a factor, give --factor with its name; if it names "
        "the samples, --names."
    )


def test_a_factor_that_is_no_column(tmp_path):
    message = refuse(tmp_path, column("1", "2", "3", "4", name="tree"), "tere")
    assert (
        message
        == "covariates.csv: there is no column 'tere' for --factor. Is it 'tree'? It has tree."
    )
    with pytest.raises(TableError, match=r"--factor: there are no covariates. Name their file:"):
        read(tmp_path, counts=COUNTS, factors=["tree"])


@pytest.mark.parametrize(
    ("cells", "doubt"),
    [
        (["oak", "Oak", "oak", "oak"], "t.csv: x: the levels 'Oak' and 'oak' differ in spaces or"),
        (["-", "oak", "ash", "oak"], "t.csv: x: '-' is taken for a level. If it marks a"),
    ],
)
def test_levels_that_are_meant_otherwise_perhaps(tmp_path, cells, doubt):
    with pytest.warns(DataWarning) as caught:
        code(tmp_path, column(*cells))
    assert [str(one.message)[: len(doubt)] for one in caught] == [doubt]

"""Formulas: what they say, what they refuse, and what new samples get."""

import decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plnkit.formula import Formula, parse, read
from plnkit.problems import DataError, DataWarning

pytest.importorskip("formulaic", reason="formulaic is not installed: see the extra `notebook`")

N = 6
NAMES = [f"leaf{i}" for i in range(N)]
COUNTS = pd.DataFrame(np.arange(3 * N).reshape(N, 3) % 5 + 1, NAMES, ["oak", "ash", "elm"])
LEAVES = pd.DataFrame(
    {
        "site": list("abcabc"),
        "season": ["dry", "wet"] * 3,
        "depth": [0.5, 2.0, 1.0, 4.0, 0.0, 3.0],
        "year": [2020, 2021] * 3,
        "the place": [1.0, 2, 3, 4, 5, 7],
        "total": [10.0, 20, 30, 40, 50, 60],
    },
    NAMES,
)
EFFORT = pd.DataFrame(np.arange(1.0, 1 + 3 * N).reshape(N, 3), NAMES, ["elm", "oak", "ash"])


def of(text: str, **more: Any) -> Formula:
    leaves = LEAVES.assign(**more)
    return read(text, {"counts": COUNTS, "leaves": leaves, "effort": EFFORT})[1]


def test_it_is_what_formulaic_builds():
    from formulaic import model_matrix

    text = "1 + site * season + poly(depth, 2) + C(year) + log(`the place`)"
    built = of(f"counts ~ {text} + offset(log(total))").build_own(COUNTS.index)
    expected: Any = model_matrix(text, LEAVES)
    assert list(built.X.columns) == list(expected.columns)
    assert list(built.X.index) == NAMES and built.X.to_numpy().dtype == float
    np.testing.assert_allclose(built.X, expected)
    assert built.O is not None
    np.testing.assert_allclose(built.O, np.log(LEAVES[["total"]]))


def test_counts_are_given_as_they_are():
    counts, formula, names = read("counts ~ 0", {"counts": COUNTS})
    assert counts is COUNTS and names is COUNTS.index
    built = formula.build_own()
    assert built.X.shape == (N, 0) and built.O is None


def test_offsets_add_up_and_keep_the_names_of_taxa():
    built = of("counts ~ 1 + offset(log(effort)) + offset(log(total))").build_own()
    assert built.O is not None and list(built.O.columns) == ["elm", "oak", "ash"]
    np.testing.assert_allclose(built.O, np.log(EFFORT.to_numpy() * LEAVES[["total"]].to_numpy()))
    assert list(built.X.columns) == ["Intercept"]


@pytest.mark.gate
@pytest.mark.parametrize("form", ["table", "mapping", "arrays", "table and vectors"])
@settings(max_examples=8, deadline=None)
@given(order=st.permutations(range(N)))
def test_rows_of_any_form_in_any_order(form, order):
    """Tables with names go by their names; what has none goes by its order."""
    text = "counts ~ site * season + center(depth) + offset(log(total))"
    expected = of(text).build_own(COUNTS.index)
    shuffled = LEAVES.iloc[list(order)]
    data: dict[str, Any] = {
        "table": {"leaves": shuffled},
        "mapping": dict(shuffled.items()),
        "arrays": {name: column.tolist() for name, column in LEAVES.items()},
        "table and vectors": {"leaves": shuffled.drop(columns="depth"), "depth": LEAVES["depth"]},
    }[form]
    built = read(text, {"counts": COUNTS, **data})[1].build_own(COUNTS.index)
    pd.testing.assert_frame_equal(built.X, expected.X)
    pd.testing.assert_frame_equal(built.O, expected.O)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("counts", [COUNTS.to_numpy(), COUNTS.reset_index(drop=True)])
def test_whole_numbers_are_names_beside_a_numbered_table_alone(counts):
    shuffled = LEAVES.reset_index(drop=True).iloc[[5, 3, 1, 0, 2, 4]]
    built = read("counts ~ 0 + depth", {"counts": counts, "leaves": shuffled})[1].build_own()
    expected = shuffled if isinstance(counts, np.ndarray) else LEAVES
    np.testing.assert_array_equal(built.X["depth"], expected["depth"])


TRANSFORMS = [
    "poly(depth, 2)",
    "center(depth)",
    "scale(depth)",
    "bs(depth, df=4)",
    "cr(depth, df=3)",
]


@pytest.mark.parametrize("transform", [*TRANSFORMS, "site", "C(year)", "C(site, contr.sum)"])
@pytest.mark.parametrize("saved", [False, True])
def test_new_samples_get_the_levels_and_transforms_of_the_fit(transform, saved):
    formula = of(f"counts ~ {transform} + offset(log(effort))")
    if saved:
        formula = Formula.from_arrays(formula.to_arrays())
    some = [4, 1]
    built = formula.build({"leaves": LEAVES.iloc[some], "effort": EFFORT.iloc[some[::-1], ::-1]})
    own = formula.build_own(COUNTS.index)
    assert list(built.X.columns) == list(own.X.columns)
    np.testing.assert_allclose(built.X, own.X.iloc[some], atol=1e-12)
    assert built.O is not None and own.O is not None
    np.testing.assert_allclose(built.O, own.O.iloc[some])
    assert list(built.X.index) == ["leaf4", "leaf1"]


def test_a_formula_in_arrays_holds_no_objects():
    arrays = of("counts ~ site + depth + C(year) + offset(log(effort))").to_arrays()
    assert {array.dtype.kind for array in arrays.values()} <= set("Uif")


def test_offsets_are_left_out_on_request():
    formula = of("counts ~ site + offset(log(total))")
    built = formula.build({"site": ["c", "a"]}, with_offsets=False)
    assert built.O is None and built.X["site[T.c]"].tolist() == [1, 0]
    with pytest.raises(DataError, match=r"there is no total. The data have site\."):
        formula.build({"site": ["c", "a"]})


def test_an_intercept_alone_has_as_many_rows_as_the_table():
    built = of("counts ~ 1").build(LEAVES[:2])
    assert built.X.shape == (2, 1) and list(built.X.index) == ["leaf0", "leaf1"]
    with pytest.raises(DataError, match="give a table, whose rows are the samples"):
        of("counts ~ 1").build({})


def test_unused_levels_are_no_columns():
    site = pd.Categorical(LEAVES["site"], ["z", "c", "b", "a"])
    assert list(of("counts ~ site", site=site).build_own().X)[1:] == ["site[T.b]", "site[T.a]"]


def test_numbers_as_objects_are_numbers():
    depth = LEAVES["depth"].astype(object)
    assert list(of("counts ~ depth", depth=depth).build_own().X) == ["Intercept", "depth"]


UNREADABLE = {
    "site": "'site' names no counts; write 'counts ~ site'",
    "counts ~ nope ~ site": "cannot be read. Operator `~` is incorrectly used",
    "counts ~ depth ++": "cannot be read. Operator `++` has",
    "counts ~ .": "Name each covariate; there is no '.'",
    "counts ~ site | season": "Name each covariate; there is no '.' and no '|'",
    "log(counts) ~ 1": "must be the name of the table of counts alone",
    "oak + ash ~ 1": "must be the name of the table of counts alone",
    "nope ~ 1": "there is no nope in the data; give a mapping with counts and covariates",
    "counts ~ depth**2": "depth** crosses depth with itself, which is depth again. For a power, wr",
    "counts ~ log(depth)^2": "write I(log(depth)**2) or poly(log(depth), 2)",
    "counts ~ sitee": "there is no sitee. Is it 'site'? The data have site, season, depth",
    "counts ~ site:offset(depth)": "an offset is a term of its own",
    "counts ~ offset()": "offset() is empty",
    "counts ~ offset(depth, 2)": "offset(depth, 2) takes one number a sample, or a table",
    "counts ~ offset(site)": "offset(site) is text; an offset is a number",
    "counts ~ offset(3)": "3 names no variable",
    "counts ~ offset(log(depth))": "covariates: sample leaf4, offset(log(depth)) is -inf; every v",
    "counts ~ log(site)": "Unable to evaluate factor `log(site)`",
    "counts ~ C(site, levels=['a'])": "categories outside of the nominated levels",
    "counts ~ factor(site)": "there is no function factor. There are offset, log, log2",
    "counts ~ lag(depth)": "there is no function lag. Is it 'log'? There",
    "counts ~ __import__('os')": "there is no function __import__",
    "counts ~ I(depth.mean())": "I(depth.mean()) is more than a formula can do",
    "counts ~ I(np.load('x'))": "is more than a formula can do",
    "counts ~ I(np.log.__class__)": "is more than a formula can do",
    "counts ~ contr.__init__(depth)": "is more than a formula can do",
    "counts ~ I(depth)(2)": "is more than a formula can do",
    "counts ~ I(lambda: depth)": "is more than a formula can do",
    "counts ~ I([x for x in depth])": "is more than a formula can do",
    "counts ~ {depth if depth else 1}": "is more than a formula can do",
    "counts ~ I(f'{depth}')": "is more than a formula can do",
    "counts ~ I(depth := 1)": "is more than a formula can do",
}


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_a_formula_cannot_say(text):
    with pytest.raises(DataError) as error:
        of(text).build_own(COUNTS.index)
    assert UNREADABLE[text] in str(error.value)


@pytest.mark.parametrize("text", ["counts ~ np.log1p(depth)", "counts ~ I(2 * depth**2 >= 1)"])
def test_arithmetic_is_a_formulas(text):
    assert of(text).build_own().X.shape == (N, 2)


def with_value(column: str, value: Any, row: int = 2) -> list[Any]:
    values: list[Any] = LEAVES[column].tolist()
    values[row] = value
    return values


BAD = {
    "dates": (
        {"depth": [f"2026-05-0{i}" for i in range(1, N + 1)]},
        "sample leaf0, column depth is '2026-05-01', a date as in all rows",
    ),
    "units": ({"depth": ["3 m"] * N}, "sample leaf0, column depth is '3 m', and all cells begin"),
    "few numbers": (
        {"site": with_value("site", "4")},
        "sample leaf2, column site is '4', but of its 6 cells 1 are numbers",
    ),
    "names": ({"site": list("uvwxyz")}, "sample leaf0, column site is 'u', and each row has"),
    "no level": ({"site": with_value("site", None)}, "sample leaf2, column site is missing"),
    "nan": ({"depth": [np.nan] * 2 + [1.0] * 4}, "sample leaf0, column depth is missing (2 such"),
    "no number": ({"year": pd.array([1, 2, None, 4, 5, 6], "Int64")}, "leaf2, column year is miss"),
    "infinite": ({"depth": with_value("depth", np.inf)}, "leaf2, column depth is infinite"),
    "date": ({"depth": pd.date_range("2020-01-01", periods=N)}, "depth holds dates. Give numbers"),
    "time": ({"depth": pd.timedelta_range("1h", periods=N)}, "depth holds durations. Give"),
    "one level": ({"site": ["a"] * N}, "site is a in every sample, and a factor needs two levels"),
    "complex": ({"depth": [1j] * N}, "depth holds complex numbers"),
    "stray text": (
        {"depth": ["1", "2", "2,6", "3", "4", "5"]},
        "sample leaf2, column depth is '2,6', but of its 6 cells 5 are numbers",
    ),
    "unit": ({"depth": with_value("depth", "300 m")}, "sample leaf2, column depth is '300 m', but"),
    "text": ({"depth": list("123456")}, "depth holds numbers as text. Convert them (astype(float)"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_values_get_a_sentence(name):
    columns, sentence = BAD[name]
    with pytest.raises(DataError) as error:
        of(f"counts ~ {' + '.join(columns)}", **columns).build_own(COUNTS.index)
    assert sentence in str(error.value)
    if sentence.startswith("sample"):
        assert error.value.column in columns and f"leaf{error.value.row}" in sentence


def test_numbers_of_any_type_are_numbers():
    depth = [decimal.Decimal(str(x)) for x in LEAVES["depth"]]
    built = of("counts ~ 0 + depth", depth=depth).build_own()
    np.testing.assert_allclose(built.X["depth"], LEAVES["depth"])


@pytest.mark.parametrize(
    ("value", "doubt"),
    [
        ("a ", "site: the levels 'a' and 'a ' differ in spaces or case alone."),
        ("A", "site: the levels 'A' and 'a' differ in spaces or case alone."),
        ("?", "site: '?' is taken for a level. If it marks a missing value, leave it out."),
    ],
)
def test_levels_that_are_meant_otherwise_perhaps(value, doubt):
    with pytest.warns(DataWarning) as caught:
        of("counts ~ site", site=with_value("site", value))
    assert [str(one.message) for one in caught] == [doubt]


@pytest.mark.parametrize("text", ["counts ~ site + depth", "counts ~ site + offset(depth)"])
def test_variables_in_two_orders_beside_counts_without_names(text):
    data = {"counts": COUNTS.to_numpy(), "site": LEAVES["site"], "depth": LEAVES["depth"][::-1]}
    with pytest.raises(DataError, match="the samples of depth are not in the order of those of s"):
        read(text, data)


@pytest.mark.parametrize("counts", [COUNTS.to_numpy(), COUNTS.reset_index(drop=True)])
def test_variables_lend_their_names_to_counts_without(counts):
    names = read("counts ~ site", {"counts": counts, "leaves": LEAVES[::-1]})[2]
    assert list(names) == list(LEAVES.index[::-1])


def test_levels_that_are_numbers_are_taken_in_c():
    formula = of("counts ~ C(depth)", depth=list("121212"))
    assert list(formula.build_own().X) == ["Intercept", "C(depth)[T.2]"]
    assert formula.build({"depth": ["2"]}).X.iloc[0].tolist() == [1, 1]


TABLES = {
    "two columns": ({"a": LEAVES, "b": LEAVES}, "site is a column of both a and b; rename one"),
    "fewer": ({"a": LEAVES[1:]}, "site has 5 rows, but the counts have 6"),
    "other names": (
        {"a": LEAVES.rename(index={"leaf1": "twig"})},
        "covariates: sample 'leaf1' of the counts is missing (here is 'twig'). site.loc",
    ),
    "twins": (
        {"a": LEAVES.rename(index={"leaf1": "leaf0"})},
        "covariates: two samples have the name 'leaf0'; names must differ",
    ),
    "twin columns": ({"a": LEAVES[["site", "site"]]}, "two columns have the name site"),
    "twin columns of a table": (
        {"site": EFFORT.set_axis(["a", "b", "a"], axis=1)},
        "covariates: two covariates have the name 'a'; names must differ",
    ),
    "three dimensions": ({"site": np.zeros((N, 2, 2))}, "site has 3 dimensions, not 1 or 2"),
    "one value": ({"site": "a"}, "site has 0 dimensions, not 1 or 2"),
    "text in a table": (
        {"site": LEAVES[["site", "season"]]},
        "site has text; a table in a formula",
    ),
    "no such": ({"a": {"site": 1}}, "there is no site. The data have a."),
    "nothing": ({}, "there is no site. The data have no names."),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_that_do_not_fit(name):
    data, sentence = TABLES[name]
    with pytest.raises(DataError) as error:
        read("counts ~ site", {"counts": COUNTS, **data})
    assert sentence in str(error.value)


def test_a_table_without_counts():
    with pytest.raises(DataError, match="there is no counts in the data; give a mapping with coun"):
        read("counts ~ site", LEAVES)


NEW = {
    "level": (
        "site",
        {"site": ["a", "z"]},
        "row 1 (from 0), column site is z, a level that is not",
    ),
    "year": (
        "C(year)",
        {"year": [1999]},
        "column year is 1999, a level that is not in the fit: it",
    ),
    "named": ("site", LEAVES[:1].assign(site="z"), "sample leaf0, column site is z, a level that"),
    "computed": ("C(year > 2020)", {"year": ["late"]}, "year was numbers in the fit, here text"),
    "of sums": ("C(2 * year)", {"year": [1]}, "categories outside of the nominated levels"),
    "numbers": ("site", {"site": [1, 2]}, "site was text in the fit, here numbers"),
    "words": ("depth", {"depth": ["far"]}, "depth was numbers in the fit, here text"),
    "lengths": ("site + depth", {"site": ["a"], "depth": [1, 2]}, "depth has 2 rows, but others h"),
    "array": ("site", np.ones((2, 2)), "of type ndarray; a formula takes them from a table"),
    "columns": (
        "effort",
        {"effort": EFFORT.to_numpy()[:, :2]},
        "the columns of effort are 0, 1; the fit's were elm, oak, ash",
    ),
    "vector": ("effort", {"effort": np.ones(N)}, "effort was a table of 3 columns in the fit"),
    "table": ("depth", {"depth": np.ones((N, 2))}, "depth was a vector in the fit"),
}


@pytest.mark.parametrize("name", NEW)
def test_new_data_that_do_not_fit(name):
    text, data, sentence = NEW[name]
    with pytest.raises(DataError) as error:
        of(f"counts ~ {text}").build(data)
    assert sentence in str(error.value)


def test_the_parts_of_a_formula():
    terms = parse("counts ~ 0 + site:depth + offset(log(total) + `the place`)")
    assert terms.response == "counts" and terms.offsets == ("log(total) + `the place`",)
    assert terms.of_covariates == ("site", "depth")
    assert terms.of_offsets == ("total", "the place")
    assert parse("~ C(site)").factors["C(site)"] == (("site",), "site")

"""Tables as users have them: names before positions, every fault a sentence, nothing dropped."""

import datetime
import inspect
import string

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import plnkit
from plnkit import DataError, DataWarning
from plnkit.checks import check, check_new

Y = np.array([[1.0, 2], [3, 4], [0, 5]])


def frame(values, rows="xyz", columns="ab") -> pd.DataFrame:
    return pd.DataFrame(values, list(rows), list(columns))


named = frame(Y)
site = pd.DataFrame({"site": ["A", "B", "A"]}, list("xyz"))
BAD = {
    "negative": ({"Y": [[1.0, -2], [3, 4]]}, "row 0, column 1 (from 0) is -2; counts are whole"),
    "fraction": ({"Y": [[1.0, 2], [3, 4.5]]}, "row 1, column 1 (from 0) is 4.5; counts"),
    "nan": (
        {"Y": [[1.0, 2], [np.nan, np.nan]]},
        "is nan (2 such entries); every entry must be a finite number.",
    ),
    "text": (
        {"Y": [["a", "b"], ["c", "d"]]},
        "counts: row 0, column 0 (from 0) is text, 'a'. If it names the samples, make it the "
        "index, as pd.read_csv(..., index_col=0) does.",
    ),
    "ragged": ({"Y": [[1, 2], [3]]}, "counts: this is no table of numbers (setting an array"),
    "complex": ({"Y": np.array([[1, 2], [3, 1j]])}, "row 0, column 0 (from 0) is '(1+0j)' (2 such"),
    "three dimensions": (
        {"Y": np.ones((2, 2, 2))},
        "a table has 2 dimensions, and this ndarray has 3.",
    ),
    "a number": ({"Y": 3.0}, "a table has 2 dimensions, and this float has 0. Give"),
    "empty": ({"Y": np.ones((0, 3))}, "counts: the table is empty (0 samples, 3 taxa)."),
    "empty taxa": ({"Y": [[0.0, 1, 0], [0, 2, 0]]}, "counts: taxon 0 (and 1 more) has only zeros"),
    "one sample": (
        {"Y": [[1.0, 2]]},
        "counts: there is 1 sample (a row), and a fit needs several.",
    ),
    "far too many": ({"Y": [[1, 2], [3, 2 * 10**9]]}, "is 2e+09; no sample has more than 1e+09"),
    "digits": (
        {"Y": [[1, 2], [3, 10**400]]},
        "counts: row 1, column 1 (from 0) is too large a number.",
    ),
    "masked": (
        {"Y": np.ma.masked_array(Y, Y == 4)},
        "counts: row 1, column 1 (from 0) is masked (1 in all); every entry must be a finite",
    ),
    "a missing count": (
        {"Y": frame(Y).astype("Int64").mask(named == 4)},
        "counts: sample y, column b is nan; every entry must be a finite number.",
    ),
    "None": ({"Y": [[1, None], [2, 3]]}, "counts: row 0, column 1 (from 0) is nan; every entry"),
    "named": ({"Y": frame([[1.0, -2], [3, 4]], "xy")}, "counts: sample x, column b is -2; counts"),
    "a taxon twice": (
        {"Y": frame(Y, columns="aa")},
        "two taxa have the name 'a'; names must differ",
    ),
    "a sample twice": ({"Y": frame(Y, rows="xyx")}, "two samples have the name 'x'; names must"),
    "offsets": ({"O": np.ones((2, 2))}, "offsets: the shape is (2, 2); give (3, 2) or (3, 1)."),
    "turned offsets": ({"O": np.ones((2, 3))}, "give (3, 2) or (3, 1) (this is O.T, it seems)."),
    "log of 0": (
        {"O": [-np.inf, 0, 0]},
        "offsets: row 0, column 0 (from 0) is -inf; every entry must be a finite number, and there "
        "is no log of a total of 0.",
    ),
    "too few rows": (
        {"Y": Y[:, [0, 1, 1, 1]], "X": np.ones((2, 1))},
        "covariates: there are 2 rows, but counts have 3.",
    ),
    "turned": (
        {"X": np.ones((2, 1))},
        "2 rows, but counts have 3. If the taxa stand in rows, give",
    ),
    "many covariates": ({"X": np.ones((3, 4))}, "there are 4 columns for 3 samples;"),
    "collinear": ({"X": np.ones((3, 2))}, "covariates: covariate 1 = 1 x covariate 0 in every sam"),
    "a covariate twice": ({"X": frame(Y, columns="aa")}, "covariates: two covariates have the na"),
    "a factor": (
        {"Y": named, "X": site},
        "covariates: sample x, column site is text, 'A'. Give an indicator of each level but the "
        "first: pd.get_dummies(X, drop_first=True, dtype=float), or use a formula.",
    ),
    "a category": ({"X": site.astype("category")}, "covariates: column site is a factor. Give an"),
    "numbers as a category": (
        {"X": pd.DataFrame({"k": [1, 2, 3]}, dtype="category")},
        "column k is",
    ),
    "a stray cell": (
        {"X": pd.DataFrame({"depth": [1.5, "300 m", 2.0]}, list("xyz"))},
        "covariates: sample y, column depth is '300 m'; every entry must be a number.",
    ),
    "dates": (
        {"X": pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2020-02-01", "2020-03-01"])})},
        "covariates: sample 0, column day is a date, 2020-01-01",
    ),
    "dates with zones": (
        {"X": pd.DataFrame({"day": pd.date_range("2020-01-01", periods=3, tz="UTC"), "k": 1.0})},
        "Give a number, such as days since the first: (date - date.min()).dt.days.",
    ),
    "numbers as text": (
        {"X": pd.DataFrame({"depth": ["1.5", "2", "4"]}, list("xyz"))},
        "sample x, column depth is text, '1.5'. Make the column numbers: pd.to_numeric(column).",
    ),
    "durations": (
        {"X": np.array([[1], [2], [3]], "m8[D]")},
        "covariates: row 0, column 0 (from 0) is a duration. Give a number of days: column.dt.days",
    ),
    "days": ({"X": [[datetime.date(2020, 1, k)] for k in (1, 2, 3)]}, "is a date, 2020-01-01."),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_data_gets_a_sentence(name):
    arguments, sentence = BAD[name]
    with pytest.raises(DataError) as error:
        plnkit.fit(**{"Y": Y, **arguments})
    assert sentence in str(error.value)


def test_the_entry_is_told_to_programs():
    with pytest.raises(DataError) as error:
        check(named, X=pd.DataFrame({"one": 1.0, "depth": [1, 2, "3 m"]}, list("xyz")))
    wrong = error.value
    assert (wrong.table, wrong.row, wrong.column) == ("covariates", 2, "depth")
    assert wrong.problem == "is '3 m'; every entry must be a number."


@pytest.mark.parametrize(
    "table",
    [
        Y.astype(int),
        Y.astype(np.uint8),
        Y.tolist(),
        named,
        named.astype("Int64"),
        named.astype(object),
        named.astype(pd.SparseDtype("int64", 0)),
        named.astype({"a": "int8"}),
        scipy.sparse.csr_array(Y),
        scipy.sparse.coo_matrix(Y),
        np.ma.masked_array(Y, np.zeros_like(Y, bool)),
        np.asfortranarray(Y),
    ],
    ids=lambda table: f"{type(table).__name__}",
)
def test_counts_in_any_form(table):
    found = check(table).Y
    np.testing.assert_array_equal(found, Y)
    assert found.dtype == np.float32 and found.flags.c_contiguous


def test_truths_are_numbers():
    assert check(Y > 1).Y.tolist() == (Y > 1).astype(float).tolist()


def test_counts_that_float32_does_not_hold_keep_their_digits():
    large = np.array([[2**24 + 1, 2], [3, 4]])
    for dtype in (np.int64, np.uint32, np.float64):
        found = check(large.astype(dtype)).Y
        assert found.dtype == dtype and found[0, 0] == 2**24 + 1


def test_nobody_changes_a_fits_data_later():
    counts, offsets = Y.copy(), np.zeros((3, 2))
    tables = check(counts, offsets)
    counts += 1
    offsets += 1
    np.testing.assert_array_equal(tables.Y, Y)
    assert not tables.O.any()
    with pytest.raises(ValueError, match="read-only"):
        tables.Y[0, 0] = 7


N = 12
rng = np.random.default_rng(0)
COUNTS = pd.DataFrame(
    rng.poisson(5.0, (N, 3)) + 1, [f"leaf{i}" for i in range(N)], ["oak", "ash", "elm"]
)
OFFSETS = pd.DataFrame(rng.normal(size=(N, 3)), COUNTS.index, COUNTS.columns)
COVARIATES = pd.DataFrame({"one": 1.0, "height": rng.normal(size=N)}, COUNTS.index)


def equal(found, wanted) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(N)), st.permutations(range(N)), st.permutations(range(3)))
def test_the_order_of_rows_and_columns_does_not_matter(first, second, columns):
    wanted = check(COUNTS, OFFSETS, COVARIATES)
    offsets = OFFSETS.iloc[first, columns]
    equal(check(COUNTS, offsets, COVARIATES.iloc[second]), wanted)
    equal(check(COUNTS, offsets[["oak", "ash", "elm"]], COVARIATES), wanted)
    one = OFFSETS["ash"]
    equal(check(COUNTS, one.iloc[first]), check(COUNTS, one))
    # Rows that only count from 0 have these numbers as names, once others were sorted.
    plain = [table.reset_index(drop=True) for table in (COUNTS, OFFSETS, COVARIATES)]
    equal(check(plain[0], plain[1].iloc[first], plain[2].iloc[second])[:3], wanted[:3])


@settings(max_examples=20, deadline=None)
@given(st.permutations(["one", "height"]), st.permutations(range(3)), st.permutations(range(N)))
def test_new_samples_are_matched_by_name_too(covariates, taxa, rows):
    names = ("one", "height"), ("oak", "ash", "elm")
    wanted = check_new(*names, OFFSETS, COVARIATES, COUNTS)
    found = check_new(
        *names, OFFSETS.iloc[rows, taxa], COVARIATES.iloc[rows[::-1]][covariates],
        COUNTS.iloc[:, taxa],
    )  # fmt: skip
    equal(found, wanted)
    predicted = check_new(*names, OFFSETS.iloc[rows], COVARIATES)
    np.testing.assert_array_equal(predicted.O, OFFSETS)
    assert predicted.Y is None and list(predicted.index) == list(COUNTS.index)


def test_arrays_and_tables_without_names_go_by_position():
    wanted = check(COUNTS, OFFSETS, COVARIATES)
    equal(check(COUNTS, OFFSETS.to_numpy(), COVARIATES.to_numpy())[:3], wanted[:3])
    unnamed = OFFSETS.reset_index(drop=True), COVARIATES.reset_index(drop=True)
    equal(check(COUNTS, *unnamed), wanted)
    # The samples have the names that are known.
    equal(check(COUNTS.to_numpy(), OFFSETS, COVARIATES)[:4], wanted[:4])
    assert check(COUNTS.to_numpy()).samples[2] == "sample 2"
    # So have the columns of a fit that was fitted to arrays.
    names = ("covariate 0", "covariate 1"), ("taxon 0", "taxon 1", "taxon 2")
    equal(check_new(*names, OFFSETS, COVARIATES, COUNTS)[:3], (COUNTS, OFFSETS, COVARIATES))


MISMATCHED = {
    "a sample is missing": (
        {"X": COVARIATES.drop("leaf3")},
        "covariates: sample 'leaf3' of the counts is missing. "
        "X.loc[Y.index] takes those of the counts; .to_numpy() goes by position.",
    ),
    "samples are missing": (
        {"O": OFFSETS[2:]},
        "offsets: sample 'leaf0' (and 1 more) of the counts",
    ),
    "a sample too many": (
        {"Y": COUNTS.drop("leaf3")},
        "offsets: sample 'leaf3' is not in the counts. O.loc[Y.index] takes those of the counts",
    ),
    "a sample twice": (
        {"X": COVARIATES.rename({"leaf3": "leaf2"})},
        "covariates: two samples have the name 'leaf2'; names must differ.",
    ),
    "other names": (
        {"O": OFFSETS.rename("tree{}".format)},
        "offsets: sample 'leaf0' (and 11 more) of the counts is missing (here is 'treeleaf0').",
    ),
    "a taxon is missing": (
        {"O": OFFSETS.rename(columns={"elm": "fir"})},
        "offsets: taxon 'elm' of the counts is missing (here is 'fir'). O[Y.columns] takes",
    ),
    "a taxon too many": (
        {"Y": COUNTS[["elm", "oak"]]},
        "offsets: taxon 'ash' is not in the counts.",
    ),
    "numbers": (
        {"Y": COUNTS.reset_index(drop=True), "X": COVARIATES.set_index(np.arange(N) + 1)},
        "covariates: sample '0' of the counts is missing (here is '12').",
    ),
    "turned": (
        {"Y": COUNTS.T},
        "counts: the columns are the samples of the offsets: give Y.T, samples in rows.",
    ),
    "no names to go by": (
        {"Y": COUNTS.to_numpy(), "O": OFFSETS[::-1]},
        "offsets: the samples are not those of the covariates in their order, and the counts have "
        "no names to go by.",
    ),
}


@pytest.mark.parametrize("name", MISMATCHED)
def test_names_that_do_not_match_are_told(name):
    tables, sentence = MISMATCHED[name]
    with pytest.raises(DataError) as error:
        plnkit.fit(**{"Y": COUNTS, "O": OFFSETS, "X": COVARIATES, **tables})
    assert sentence in str(error.value)


def test_new_samples_with_other_names():
    names = ("one", "height"), ("oak", "ash", "elm")
    with pytest.raises(
        DataError, match=r"counts: taxon 'elm' of the fit is missing .* Y\[list\(fit"
    ):
        check_new(*names, None, COVARIATES, COUNTS.rename(columns={"elm": "fir"}))
    with pytest.raises(DataError, match="covariates: covariate 'height' of the fit is missing"):
        check_new(*names, None, COVARIATES.rename(columns={"height": "depth"}))
    with pytest.raises(DataError, match="covariates: covariate 'depth' is not in the fit"):
        check_new(*names, None, COVARIATES.assign(depth=1.0))
    with pytest.raises(DataError, match="offsets: sample 'leaf0' of the covariates is missing"):
        check_new(*names, OFFSETS[1:], COVARIATES)


def test_what_is_not_known_of_new_samples():
    """However it is written."""
    names = ("one",), ("oak", "ash", "elm")
    wanted = COUNTS.astype(float).mask(COUNTS.iloc[0, 0] == COUNTS)
    hidden = wanted.isna().to_numpy()
    for counts in (
        wanted,
        wanted.astype("Int64"),
        wanted.astype(object).where(~hidden, None),
        np.ma.masked_array(COUNTS.to_numpy(), hidden),
    ):
        np.testing.assert_array_equal(check_new(*names, None, np.ones(N), counts).Y, wanted)


@pytest.mark.parametrize(
    ("offsets", "words"),
    [
        (COUNTS.sum(axis=1) * 1000 + 0.5, "they are from"),  # totals
        (COUNTS.sum(axis=1), "they are whole numbers from"),  # small ones
        (np.log(COUNTS.sum(axis=1) * 1e12), "they are from"),
    ],
)
def test_totals_that_are_no_logs(offsets, words):
    with pytest.warns(DataWarning, match=f"offsets: {words}.*If these are totals, give np.log"):
        check(COUNTS, offsets)
    with pytest.warns(DataWarning, match=f"offsets: {words}"):
        check_new(("one", "height"), ("oak", "ash", "elm"), offsets, COVARIATES)


@pytest.mark.parametrize("offsets", [0 * COUNTS, np.log(COUNTS), np.log(1e6 * COUNTS)])
def test_offsets_that_are_logs(offsets):
    check(COUNTS, offsets)


def abundances(n: int, p: int) -> np.ndarray:
    """Counts of taxa that differ much, in samples that do not."""
    r = np.random.default_rng(1)
    return r.poisson(np.exp(r.normal(2, 2, (1, p)) + r.normal(0, 0.3, (n, 1)))) + 1


LATIN = ["Quercus", "Fraxinus", "Ulmus", "Abies", "Alnus", "Betula", "Carpinus", "Corylus", "Fagus",
         "Picea", "Pinus", "Prunus"]  # fmt: skip


def test_taxa_in_rows_are_asked_about():
    samples = [f"S{i}" for i in range(20)]
    right = pd.DataFrame(abundances(20, 12), samples, LATIN)
    check(right)
    message = r"counts: the rows \(Quercus, Fraxinus, ...\) look like taxa, and the columns \(S0, S"
    with pytest.warns(DataWarning, match=message):
        check(right.T)
    few = pd.DataFrame(np.ones((7, 3)), samples[:7], LATIN[:3])
    with pytest.warns(DataWarning, match=message[:-4]):
        check(few.T)
    sites = right.set_axis(list(string.ascii_letters[:20])).set_axis(samples[:12], axis=1)
    check(sites)  # species may have numbers, and samples none
    numbered = right.set_axis([f"OTU{i}" for i in range(12)], axis=1)
    check(numbered)
    with pytest.warns(DataWarning, match=r"counts: the rows seem to be named by taxa"):
        check(numbered.T)
    unnumbered = right.set_axis([f"leaf {c}" for c in string.ascii_lowercase[:20]])
    with pytest.warns(DataWarning, match=r"the rows \(Quercus, Fraxinus, ...\) look like taxa"):
        check(unnumbered.T)  # by totals alone


def test_a_warning_shows_the_callers_line():
    with pytest.warns(DataWarning) as caught, pytest.raises(DataError, match="height = 0"):
        plnkit.fit(COUNTS, O=COUNTS.sum(axis=1), X=COVARIATES * [1, 0])
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.parametrize("tolerance", [np.nan, np.inf, -1.0])
def test_a_tolerance_that_is_none(tolerance):
    with pytest.raises(ValueError, match=f"tolerance is {tolerance}; give a number of nats, 0 or"):
        plnkit.fit(COUNTS, tolerance=tolerance)


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_limit_that_is_none(limit):
    message = f"max_iterations is {limit}; give a whole number from 1 to 1000"
    with pytest.raises(ValueError, match=message):
        plnkit.fit(COUNTS, max_iterations=limit)


@pytest.mark.parametrize("call", [plnkit.fit, plnkit.Fit.predict, plnkit.Fit.infer])
def test_offsets_and_covariates_go_by_keyword(call):
    kinds = {name: one.kind for name, one in inspect.signature(call).parameters.items()}
    assert kinds["O"] is kinds["X"] is inspect.Parameter.KEYWORD_ONLY
    names = list(kinds)
    assert names.index("X") == names.index("O") + 1


NUMBERS = {
    "integers": lambda order: pd.Index(order),
    "floats": lambda order: pd.Index(order, dtype=float),
    "objects": lambda order: pd.Index(order, dtype=object),
    "text": lambda order: pd.Index([str(i) for i in order]),
    "nullable": lambda order: pd.Index(order, dtype="Int64"),
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_are_names_of_whatever_type(kind, axis):
    """Beside those that pandas gives by default, and beside others of the same kind."""
    wanted = OFFSETS.set_axis(range(OFFSETS.shape[axis]), axis=axis)
    counts = COUNTS.set_axis(wanted.axes[axis], axis=axis)
    order = np.random.default_rng(0).permutation(OFFSETS.shape[axis])
    names = NUMBERS[kind](order.tolist())
    turned = OFFSETS.take(order, axis=axis).set_axis(names, axis=axis)
    equal([check(counts, turned).O], [OFFSETS])
    sorted_ = NUMBERS[kind](sorted(order.tolist()))
    equal([check(COUNTS.set_axis(sorted_, axis=axis), turned).O], [OFFSETS])
    fitted = ("one", "height"), tuple(map(str, counts.columns))
    equal([check_new(*fitted, turned, COVARIATES.to_numpy(), counts).O], [OFFSETS])


@pytest.mark.parametrize("other", [{"X": COVARIATES}, {"weights": COVARIATES["one"]}])
def test_counts_without_names_beside_tables_in_another_order(other):
    with pytest.raises(DataError, match=r"the samples are not those of the .* have no names to go"):
        check(COUNTS.to_numpy(), OFFSETS[::-1], **other)


class Foreign:
    """A table of another library, as polars has them."""

    def __init__(self, table):
        self.table = table

    def __array__(self, dtype=None, copy=None):
        return self.table.to_numpy(dtype)

    def to_pandas(self):
        return self.table.reset_index(drop=True)


def test_tables_of_other_libraries_keep_the_names_of_their_columns():
    tables = check(*map(Foreign, (COUNTS, OFFSETS.iloc[:, ::-1], COVARIATES)))
    equal([tables.O], [OFFSETS])
    assert tables.taxa == tuple(COUNTS.columns) and tables.covariates == ("one", "height")
    names = tables.covariates, tables.taxa
    new = check_new(*names, Foreign(OFFSETS.iloc[:, ::-1]), Foreign(COVARIATES.iloc[:, ::-1]))
    equal(new[1:3], (OFFSETS, COVARIATES))


def test_an_intercept_alone_has_a_name():
    assert check(COUNTS).covariates == ("intercept",)


TALL = pd.DataFrame(abundances(20, 12), [f"S{i}" for i in range(20)], LATIN)
DOUBTS = {
    "names": (
        {"Y": pd.DataFrame({"plot": range(101, 101 + N), "oak": range(N, 0, -1)})},
        "counts: column plot is used as counts, though it seems to number the rows. If it names",
    ),
    "names in any order": (
        {"Y": pd.DataFrame({"plot": [3, 1, 2, 6, 5, 4], "oak": [1, 1, 1, 2, 2, 3]})},
        "counts: column plot is used as counts",
    ),
    "a total": (
        {"Y": COUNTS.assign(all=COUNTS.sum(axis=1))},
        "counts: taxon all is the sum of all others. Leave it out, if it is a total.",
    ),
    "a row of totals": (
        {"Y": pd.concat([TALL, TALL.sum().to_frame("all").T])},
        "counts: sample all is the sum of all others",
    ),
    "a mark of what is missing": (
        {"Y": COUNTS, "X": COVARIATES.assign(height=[*range(N - 2), -999, -999])},
        "covariates: sample leaf10, column height is -999, and most values are from 0 to 9. If it",
    ),
}


@pytest.mark.parametrize("name", DOUBTS)
def test_what_was_meant_otherwise_perhaps(name):
    tables, sentence = DOUBTS[name]
    with pytest.warns(DataWarning) as caught:
        check(**tables)
    assert [str(one.message)[: len(sentence)] for one in caught] == [sentence]


@pytest.mark.parametrize(
    "height",
    [
        np.exp(np.random.default_rng(0).normal(0, 3, N)),
        np.repeat([5_000_000, 5_900_000], N // 2) + np.arange(N),
        np.arange(N) == 3,
        10.0 ** np.arange(N),
    ],
)
def test_covariates_may_be_far_from_each_other(height):
    check(COUNTS, X=COVARIATES.assign(height=height))


def test_what_a_wrong_type_is():
    with pytest.raises(DataError, match="covariates: a table has 2 dimensions, and this str has 0"):
        check(COUNTS, X="height")
    with pytest.raises(DataError, match=r"column day is a duration. Give a number of days: column"):
        check(COUNTS, X=COVARIATES.assign(day=pd.timedelta_range("1D", periods=N)))


TEXTS = {
    "units": ("300 m", "all cells begin as numbers do"),
    "dates": ("2026-05-01", "a date as in all rows. Write numbers"),
    "names": (None, "each row has another text. .* If it names the samples, make it the index"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_text_that_is_no_factor(kind):
    cell, sentence = TEXTS[kind]
    column = COVARIATES.index if cell is None else [cell] * N
    with pytest.raises(DataError, match=sentence):
        check(COUNTS, X=COVARIATES.assign(height=column))

"""A user's files, aligned by the names in them; what names the samples is decided, and said."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import plnkit
from plnkit.csv_files import TableError
from plnkit.tables import read_inputs
from plnkit.tests.needs import need
from plnkit.tests.tables import read

pd = need("pandas")

SAMPLES = ["oak 1", "Oak1", "7", "x,y", "\u00e9"]
TAXA = ["otu b", "otu a", "9"]
COUNTS = np.arange(15).reshape(5, 3)[:, ::-1] % 7


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def csv(table, **options):
    return table.to_csv(**options)


def refuse(folder, **texts):
    with pytest.raises(TableError) as error:
        read(folder, **texts)
    return str(error.value)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000), label=st.sampled_from(["", "SampleID", "leaf"]), log=st.booleans()
)
def test_rows_and_columns_may_be_in_any_order(folder, seed, label, log):
    order = random.Random(seed)
    Y = pd.DataFrame(COUNTS, SAMPLES, TAXA)
    O = pd.DataFrame(COUNTS + 1.5, SAMPLES, TAXA)
    X = pd.DataFrame({"depth": [1.5, 2, 4, -1, 0], "tree": list("abbaa")}, SAMPLES)
    shuffled = lambda values: order.sample(list(values), len(values))
    inputs = read(
        folder,
        counts=csv(Y, index_label=label),
        offsets=csv(O.loc[shuffled(SAMPLES), shuffled(TAXA)], index_label=label),
        covariates=csv(X.loc[shuffled(SAMPLES)], index_label=label),
        names=[label] if label == "leaf" else [],
        log_offsets=log,
    )
    pd.testing.assert_frame_equal(inputs.counts, Y.astype(float))
    pd.testing.assert_frame_equal(inputs.offsets, np.log(O) if log else O)
    assert inputs.covariates is not None
    pd.testing.assert_series_equal(inputs.covariates["depth"], X["depth"])
    assert list(inputs.covariates["tree"]) == list(X["tree"])
    column = label or "1 (without a name)"
    assert inputs.decisions == [
        f"{role}.csv: 5 samples, named by column {column}."
        for role in ("counts", "offsets", "covariates")
    ]
    assert not inputs.doubts


@pytest.mark.parametrize(
    ("texts", "samples", "taxa"),
    [
        # the format says so: pandas, R; with separators at the ends of rows
        ({"counts": ",a,b\ns1,1,2,\ns2,3,4,\n"}, ["s1", "s2"], ["a", "b"]),
        ({"counts": "a,b\n7,1,2\n8,3,4\n"}, ["7", "8"], ["a", "b"]),
        ({"counts": "a,b\n1,2,\n3,4,\n5,1,\n"}, [0, 1, 2], ["a", "b"]),
        # nothing else is possible
        ({"counts": "leaf,a,b\ns1,1,2\ns2,3,4\n"}, ["s1", "s2"], ["a", "b"]),
        # the name says so
        ({"counts": "sample,a,b\n1,0,0\n2,3,1\n3,2,2\n"}, ["1", "2", "3"], ["a", "b"]),
        ({"counts": "#SampleID,a,b\n5,1,1\n3,1,1\n"}, ["5", "3"], ["a", "b"]),
        ({"counts": "leaf_id,a\n5,1\n3,1\n"}, ["5", "3"], ["a"]),
        # the values are the names of another file
        ({"counts": "leaf,a\n5,1\n3,4\n", "covariates": ",h\n3,1\n5,2\n"}, ["5", "3"], ["a"]),
        ({"counts": "leaf,a\n5,1\n3,4\n", "covariates": "leaf,h\n3,1\n5,2\n"}, ["5", "3"], ["a"]),
        # otherwise data
        ({"counts": "a,b\n1,2\n3,4\n5,1\n"}, [0, 1, 2], ["a", "b"]),
        ({"counts": "a,b\n1,2\n3,4\n", "covariates": "leaf,h\n3,1\n5,2\n"}, [0, 1], ["a", "b"]),
        ({"counts": "a,b\n1,2\n3,4\n", "covariates": "t\n0\n1\n"}, [0, 1], ["a", "b"]),
        ({"counts": "a,b\n1,2\n3,4\n", "offsets": "minutes\n2\n2\n"}, [0, 1], ["a", "b"]),
        # the user says so
        ({"counts": "b,leaf\n1,5\n4,3\n", "names": ["leaf"]}, ["5", "3"], ["b"]),
        ({"counts": ",leaf,b\n0,s2,5\n1,s1,3\n", "names": ["leaf"]}, ["s2", "s1"], ["b"]),
        ({"counts": "sample,b\n1,5\n2,3\n", "no_names": True}, [0, 1], ["sample", "b"]),
        ({"counts": ",b\ns1,5\ns2,3\n", "no_names": True}, ["s1", "s2"], ["b"]),
        # names that the counts lack are those of another file, or numbers of rows
        ({"counts": "a\n1\n3\n", "covariates": "leaf,h\nx,1\nw,2\n"}, ["x", "w"], ["a"]),
        ({"counts": "a\n1\n3\n", "covariates": "id,h\n2,1\n1,2\n"}, ["1", "2"], ["a"]),
    ],
)
def test_which_column_names_the_samples(tmp_path, texts, samples, taxa):
    counts = read(tmp_path, **texts).counts
    assert list(counts.index) == samples and list(counts.columns) == taxa


@pytest.mark.parametrize(
    ("texts", "depths"),
    [
        ({"counts": ",a\ns,1\nt,3\n", "covariates": "depth\n5\n6\n"}, [5, 6]),
        ({"counts": ",a\ns,1\nt,3\n", "covariates": "leaf,depth\nt,5\ns,6\n"}, [6, 5]),
        (
            {"counts": ",a\ns,1\nt,3\n", "covariates": "depth,leaf\n5,t\n6,s\n", "names": ["leaf"]},
            [6, 5],
        ),
        (
            {"counts": ",a\ns,1\nt,3\n", "covariates": ",depth\nt,5\ns,6\n", "no_names": True},
            [5, 6],
        ),
        ({"counts": "a\n1\n3\n", "covariates": ",depth\n1,5\n0,6\n"}, [6, 5]),
        ({"counts": "a\n1\n3\n", "covariates": "depth\n2,5\n1,6\n"}, [6, 5]),
        ({"counts": "l,a\n5,1\n6,3\n", "covariates": "depth\n5\n6\n", "names": ["l"]}, [5, 6]),
    ],
)
def test_covariates_are_those_of_the_same_sample(tmp_path, texts, depths):
    covariates = read(tmp_path, **texts).covariates
    assert covariates is not None and list(covariates["depth"]) == depths


@pytest.mark.parametrize(
    ("texts", "doubt"),
    [
        (
            {"counts": "leaf,a\n1,0\n2,3\n3,4\n"},
            "counts.csv: column 'leaf' is used as data, though",
        ),
        (
            {"counts": "l,a\n3,0\n4,1\n6,3\n7,0\n9,4\n12,2\n"},
            "counts.csv: column 'l' is used as data",
        ),
        (
            {"counts": "a\n3\n4\n6\n", "covariates": "leaf,h\n1,5\n2,6\n3,1\n"},
            "covariates.csv: column 'leaf' is used as data, though it seems to number the "
            "rows. If it names the samples, give --names with its name; if not, --no-names.",
        ),
        (
            {"counts": ",a\n1,7\n2,4\n3,3\n", "covariates": "day,h\n1,5\n3,6\n2,1\n"},
            "covariates.csv: column 'day' holds the names of the samples, so it is not used as "
            "data. If it is data, say which column names the samples: --names COLUMN, or "
            "--no-names where none does.",
        ),
        ({"counts": "s1,0,3\ns2,4,5\n"}, "counts.csv: line 1 is taken for the header: the columns"),
    ],
)
def test_a_doubtful_decision_is_said(tmp_path, texts, doubt):
    (printed,) = read(tmp_path, **texts).doubts
    assert printed.startswith(doubt)


def test_the_same_column_in_two_files_is_not_doubted(tmp_path):
    inputs = read(tmp_path, counts="leaf,a\n5,1\n3,4\n", covariates="leaf,h\n3,1\n5,2\n")
    assert not inputs.doubts and len(inputs.decisions) == 2


def test_a_factor_names_no_samples(tmp_path):
    texts = {"counts": NAMED, "covariates": "plot,h\ns1,1\ns1,2\ns3,3\n"}
    assert "have the same name" in refuse(tmp_path, **texts)
    covariates = read(tmp_path, **texts, factors=["plot"]).covariates
    assert covariates is not None and list(covariates["plot"]) == ["s1", "s1", "s3"]


def test_the_files_of_the_oaks():
    """Without names of samples; those of taxa say what they are."""
    folder, oaks = Path(plnkit.__file__).parent / "oaks", plnkit.load_oaks()
    files = [folder / f"{name}.csv" for name in ("counts", "offsets", "covariates")]
    inputs = read_inputs(*files, log_offsets=True)
    np.testing.assert_array_equal(inputs.counts, oaks.Y)
    assert inputs.offsets is not None and inputs.covariates is not None
    np.testing.assert_allclose(inputs.offsets.to_numpy(), oaks.O, rtol=1e-6)
    assert list(inputs.covariates["tree"]) == list(oaks.leaves["tree"])
    assert not inputs.doubts


@pytest.mark.parametrize("option", [{"no_names": True}, {"names": ["b"]}])
def test_nothing_is_doubted_that_the_user_decided(tmp_path, option):
    assert not read(tmp_path, counts="a,b\n1,0\n2,3\n3,4\n", **option).doubts


NAMED = "leaf,a,b\ns1,1,2\ns2,3,4\ns3,5,6\n"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (
            {"covariates": "leaf,h\ns1,1\ns2,2\n"},
            "covariates.csv: sample 's3' (counts.csv, line 4) is missing. Add it, or leave",
        ),
        (
            {"covariates": "leaf,h\n\ns1,1\ns22,2\ns3,3\n"},
            "covariates.csv: line 4 has sample 's22', which counts.csv does not have. Is it 's2'? "
            "Correct the name, or delete the sample. If column leaf is data: --names COLUMN for "
            "the one with names, or --no-names.",
        ),
        (
            {"covariates": "leaf,h\nx1,1\ny2,2\nz3,3\n"},
            "covariates.csv: line 2 has sample 'x1' (and 2 more), which counts.csv does not have.",
        ),
        (
            {"covariates": ",h\ns1,1\ns2,2\ns1,3\ns3,3\n"},
            "covariates.csv: lines 2 and 4 have the same name, 's1'. Names must differ: rename "
            "one, or delete it. If the rows of all files are in the same order: --no-names.",
        ),
        (
            {"covariates": "leaf,h\ns1,1\ns1,2\ns3,3\n"},
            "covariates.csv: lines 2 and 3 have the same name, 's1'. Names must differ: rename",
        ),
        (
            {"covariates": "sample,h\n1,1\n2,2\n3,3\n"},
            "covariates.csv: line 2 has sample '1' (and 2 more), which counts.csv does not have.",
        ),
        ({"covariates": "h\n1\n2\n"}, "covariates.csv: there are 2 samples, but counts.csv has 3."),
        (
            {"counts": "leaf,a\ns1,1\ns2,2\n\ns1,2\n"},
            "counts.csv: lines 2 and 5 have the same name, 's1'. Names must differ: rename one",
        ),
        (
            {"counts": "sample,a\n1,1\n2,2\n1,2\n"},
            "counts.csv: lines 2 and 4 have the same name, '1'. Names must differ: rename one, or "
            "delete it. If column sample is data: --names COLUMN",
        ),
        ({"counts": ",a\ns1,1\n,2\n"}, "counts.csv: line 3 has no name. Give it one."),
        (
            {"counts": ",\ns1,\n"},
            "counts.csv: line 1 is taken for the header, and names no column.",
        ),
        (
            {"names": ["laef"]},
            "--names: no file has a column 'laef'. Is it 'leaf'?",
        ),
        ({"names": ["leaf", "a"]}, "counts.csv: it has several of the columns leaf, a."),
        (
            {"counts": "leaf\ns1\ns2\n", "names": ["leaf"]},
            "counts.csv: there is no column beside the names of the rows.",
        ),
        (
            {"counts": "leaf\ns1\ns2\n", "taxa_in_rows": True},
            "counts.csv: there is no column beside the names of the rows.",
        ),
        (
            {"counts": "a\n1\n2\n", "covariates": "id,h\n17,1\n18,2\n"},
            "covariates.csv: column id names the samples, the first 17, but counts.csv has no "
            "names. Add the column to it; or delete it here, if the rows of both are in the same "
            "order.",
        ),
        (
            {"counts": "a\n1\n2\n", "covariates": ",h\nx,1\ny,2\n", "offsets": ",t\ny,1\nx,2\n"},
            "covariates.csv: its samples are in another order than those of offsets.csv, and "
            "counts.csv has no names that say which is right. Add a column of names to it.",
        ),
    ],
)
def test_samples_that_do_not_match(tmp_path, texts, message):
    assert refuse(tmp_path, **{"counts": NAMED, **texts}).startswith(message)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        (
            "a,c\n1,2\n1,2\n1,2\n",
            "offsets.csv: taxon 'c' is in offsets.csv, but not in counts.csv.",
        ),
        (
            "a,B\n1,2\n1,2\n1,2\n",
            "offsets.csv: taxon 'B' is in offsets.csv, but not in counts.csv.",
        ),
        (
            "a\n1\n2\n2\n",
            "offsets.csv: taxon 'b' is in counts.csv, but not in offsets.csv. Offsets",
        ),
        (
            "x,y\n1,2\n1,2\n1,2\n",
            "offsets.csv: taxon 'x' (and 1 more) is in offsets.csv, but not in",
        ),
        (
            "t\n1\n\nNA\n3\n",
            "offsets.csv: line 4, column t is 'NA', which marks a missing value, not",
        ),
    ],
)
def test_offsets_that_do_not_match(tmp_path, offsets, message):
    assert refuse(tmp_path, counts=NAMED, offsets=offsets).startswith(message)


def test_one_offset_a_sample(tmp_path):
    inputs = read(tmp_path, counts=NAMED, offsets=",minutes\ns3,1\ns1,2\ns2,4\n", log_offsets=True)
    assert inputs.offsets is not None
    np.testing.assert_allclose(inputs.offsets.to_numpy(), np.log([2, 4, 1]))


@pytest.mark.parametrize("total", ["0", "-3"])
def test_a_total_without_a_log(tmp_path, total):
    offsets = f",minutes\ns3,1\n\ns1,{total}\ns2,4\n"
    message = refuse(tmp_path, counts=NAMED, offsets=offsets, log_offsets=True)
    assert message.startswith(f"offsets.csv: line 4, column minutes is {total}; a total must be")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("x7", "'x7', not a number. Write a number."),
        ("", "empty, not a number. Fill it in, or leave the sample out of all files."),
        ("None", "'None', which marks a missing value, not a number. Fill it in, or leave"),
        ("NA", "'NA', which marks a missing value, not a number."),
        ("nan", "'nan', which marks a missing value, not a number."),
        ('"1,234"', "'1,234', not a number. Write decimal points, and nothing between thousands."),
        ("1_000", "'1_000', not a number."),
        ("0x1f", "'0x1f', not a number."),
    ],
)
def test_a_cell_that_is_no_number(tmp_path, cell, message):
    text = f"leaf,a,b\ns1,1,2\n\n\ns2,3,{cell}\ns3,5,6\n"
    assert refuse(tmp_path, counts=text).startswith(f"counts.csv: line 5, column b is {message}")


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), lines=st.lists(st.booleans(), min_size=5, max_size=5))
@example(seed=0, lines=[False] * 5)
def test_the_first_bad_cell_is_told_by_its_line(folder, seed, lines):
    """In a file whose rows are in another order than the counts', and have blank lines between."""
    order = random.Random(seed)
    Y = pd.DataFrame(COUNTS, SAMPLES, TAXA)
    O = Y.astype(str).loc[order.sample(SAMPLES, 5), order.sample(TAXA, 3)]
    bad = sorted(order.sample(range(5), 2))
    j = order.randrange(3)
    O.iloc[bad, j] = "?"
    header, *rows = csv(O).splitlines()
    text, at = header + "\n", 0
    for i, (row, blank) in enumerate(zip(rows, lines, strict=True)):
        text += "\n" * blank
        at = text.count("\n") + 1 if i == bad[0] else at
        text += row + "\n"
    message = refuse(folder, counts=csv(Y), offsets=text)
    place = f"offsets.csv: line {at}, column {O.columns[j]}"
    assert message.startswith(f"{place} is '?', not a number (2 such entries).")


def test_a_second_column_of_text_may_be_the_names(tmp_path):
    message = refuse(tmp_path, counts=",leaf,a\n0,s1,1\n1,s2,3\n")
    assert message.endswith(
        "Leave the column out; or, if leaf names the samples, give --names with its name."
    )


@pytest.mark.parametrize("header", ["0,3,1", "5", "2,1"])
def test_a_header_that_is_missing(tmp_path, header):
    row = ",".join("4" for _ in header.split(","))
    message = refuse(tmp_path, counts=f"{header}\n{row}\n{row}\n")
    assert message.startswith("counts.csv: line 1 holds numbers alone, and should be a header.")


@pytest.mark.parametrize("header", ["id,17,4", ",17,4", "0,1,2"])
def test_taxa_that_have_numbers_for_names(tmp_path, header):
    counts = read(tmp_path, counts=f"{header}\n4,1,2\n3,5,6\n").counts
    assert list(counts.columns) == [name for name in header.split(",") if name not in ("id", "")]


TURNED = "#OTU ID,s1,s2,s3\notu1,1,3,5\notu2,2,4,6\n"


@pytest.mark.parametrize(
    "counts", [TURNED, TURNED.replace("#OTU ID", ""), TURNED.replace("#OTU ID", "x")]
)
def test_taxa_in_rows(tmp_path, counts):
    covariates, offsets = ",h\ns2,2\ns1,1\ns3,3\n", ",s1,s2,s3\notu2,2,4,6\notu1,1,3,5\n"
    inputs = read(
        tmp_path, counts=counts, covariates=covariates, offsets=offsets, taxa_in_rows=True
    )
    right = pd.DataFrame({"otu1": [1.0, 3, 5], "otu2": [2.0, 4, 6]}, ["s1", "s2", "s3"])
    pd.testing.assert_frame_equal(inputs.counts, right)
    pd.testing.assert_frame_equal(inputs.offsets, right)
    assert inputs.covariates is not None and list(inputs.covariates["h"]) == [1, 2, 3]
    assert inputs.decisions[0] == "counts.csv: 3 samples, named by the header."
    assert inputs.sheets["counts"].where(2, 1) == "line 3, column s3"


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ({"counts": TURNED}, "the rows seem to be named by taxa"),
        ({"counts": TURNED.replace("#OTU ID", "x")}, "the rows seem to be named by taxa"),
        ({"counts": ",q1,q2\nk__A;p__B,1,2\nk__C,3,4\n"}, "the rows seem to be named by taxa"),
        ({"counts": "x,sample1,sample2\na,1,2\nb,3,4\n"}, "the columns seem to be samples"),
        (
            {"counts": "x,s1,s2\na,1,2\nb,3,4\n", "covariates": "leaf,h\ns2,1\ns1,1\n"},
            "the columns are the samples of covariates.csv",
        ),
    ],
)
def test_what_lies_like_taxa_in_rows_is_asked_about(tmp_path, texts, why):
    message = refuse(tmp_path, **texts)
    assert message == (
        f"counts.csv: {why}, and samples are expected in rows. Give --taxa-in-rows if taxa are in "
        "rows, --samples-in-rows if samples are."
    )
    if "covariates" not in texts:
        assert read(tmp_path, **texts, taxa_in_rows=False).counts.shape[0] == 2


def test_samples_that_do_not_match_where_taxa_are_in_rows(tmp_path):
    texts = {"counts": TURNED, "taxa_in_rows": True}
    message = refuse(tmp_path, **texts, offsets=",s1,s2,s9,s3\notu1,1,3,5,2\notu2,2,4,6,2\n")
    assert message.startswith("offsets.csv: the header has sample 's9', which counts.csv does not")
    message = refuse(tmp_path, **texts, offsets=",s1,s2\notu1,1,3\notu2,2,4\n")
    assert message.startswith(
        "offsets.csv: sample 's3' (counts.csv, the header) is missing. Add it"
    )
    message = refuse(tmp_path, **texts, offsets=",s1,s2,s3\notu1,1,3,5\notu3,2,4,6\n")
    assert message.startswith("offsets.csv: taxon 'otu3' is in offsets.csv, but not in counts.csv.")
    message = refuse(tmp_path, **texts, covariates=",h\ns1,1\ns2,2\n")
    assert message.startswith("covariates.csv: sample 's3' (counts.csv, the header) is missing.")


def test_taxa_in_rows_without_names(tmp_path):
    message = refuse(tmp_path, counts="s1,s2\n1,2\n3,4\n", taxa_in_rows=True)
    assert message == "counts.csv: no column names the taxa. Say which does: --names COLUMN."
    message = refuse(tmp_path, counts="a,b\n1,2\n3,4\n5,6\n", covariates="h\n1\n2\n")
    assert message.endswith("If the counts have taxa in rows: --taxa-in-rows.")


def test_a_bad_cell_of_taxa_in_rows(tmp_path):
    message = refuse(tmp_path, counts=TURNED.replace("4,6", "x,6"), taxa_in_rows=True)
    assert message.startswith("counts.csv: line 3, column s2 is 'x', not a number.")


def test_names_in_two_files_under_two_headers(tmp_path):
    counts = "plot,a\n" + "".join(f"{i},{i % 3}\n" for i in (14, 11, 17, 12, 19, 13))
    covariates = "station,h\n" + "".join(f"{i},{i}\n" for i in (11, 12, 13, 14, 17, 19))
    inputs = read(tmp_path, counts=counts, covariates=covariates)
    assert inputs.covariates is not None
    assert list(inputs.covariates["h"]) == [14, 11, 17, 12, 19, 13]
    assert [doubt.split(" holds")[0] for doubt in inputs.doubts] == [
        "counts.csv: column 'plot'",
        "covariates.csv: column 'station'",
    ]


@pytest.mark.parametrize(
    ("counts", "column"),
    [("plot,a\n3,1\n1,2\n2,1\n6,3\n5,1\n4,2\n", "plot"), ("a,leafID\n1,7\n1,3\n2,9\n", "leafID")],
)
def test_columns_that_seem_to_number_the_rows_are_doubted(tmp_path, counts, column):
    (doubt,) = read(tmp_path, counts=counts).doubts
    assert doubt.startswith(f"counts.csv: column {column!r} is used as data, though it seems to")


@pytest.mark.parametrize("separator", [" ", "|", ":"])
def test_columns_that_were_not_told_apart(tmp_path, separator):
    message = refuse(tmp_path, counts="a,b\n1,2\n3,4\n".replace(",", separator))
    assert message.endswith("columns are separated by commas, semicolons or tabs.")


def test_samples_that_look_like_taxa_are_doubted(tmp_path):
    counts = "," + ",".join(f"s{i}" for i in range(9)) + "\n"
    counts += "".join(f"{name},{','.join(str(i) for i in range(1, 10))}\n" for name in "abc")
    (doubt,) = read(tmp_path, counts=counts).doubts
    assert doubt.startswith("counts.csv: the rows (a, b, ...) look like taxa, and the columns (s0,")
    assert not read(tmp_path, counts=counts, taxa_in_rows=False).doubts
    assert not read(tmp_path, counts=counts, taxa_in_rows=True).doubts


def test_covariates_that_nobody_asked_for_are_not_read(tmp_path):
    covariates = ",h,when,unit\ns1,1,2026-05-01,3 m\ns2,2,,3 m\ns3,4,2026-05-03,4 m\n"
    wanted = {"h": False, "unit": True}
    inputs = read(tmp_path, counts=NAMED, covariates=covariates, wanted=wanted)
    assert inputs.covariates is not None and list(inputs.covariates) == ["h", "unit"]
    assert list(inputs.covariates["unit"]) == ["3 m", "3 m", "4 m"]
    with pytest.raises(TableError, match=r"there is no column 'u'. It has h, when, unit\."):
        read(tmp_path, counts=NAMED, covariates=covariates, wanted={"u": False})


def test_numbers_of_rows_beside_names(tmp_path):
    counts = ",SampleID,a\n0,105,1\n1,103,2\n2,101,3\n"
    covariates = ",SampleID,h\n0,101,30\n1,103,20\n2,105,10\n"
    inputs = read(tmp_path, counts=counts, covariates=covariates)
    assert inputs.covariates is not None and list(inputs.covariates["h"]) == [10, 20, 30]
    assert list(inputs.counts.columns) == ["a"] and not inputs.doubts
    (doubt,) = read(tmp_path, counts=counts.replace("0,105", "7,105")).doubts
    assert doubt.startswith("counts.csv: column 'SampleID' is used as data")

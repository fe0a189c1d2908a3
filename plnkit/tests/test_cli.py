"""A user's files in, tables and a plot out; a bad file gets one sentence."""

import json
import platform
from importlib.metadata import version

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from plnkit import load_fit, load_oaks
from plnkit.cli import app
from plnkit.tables import read_counts


@pytest.fixture
def oaks(tmp_path):
    """The oaks as a user would have them: totals of reads, text covariates, named leaves."""
    oaks = load_oaks()
    leaves = [f"leaf{i}" for i in range(116)]
    taxa = oaks.taxa[:12]
    counts = pd.DataFrame(oaks.Y[:, :12].astype(int), leaves, taxa)
    counts.to_csv(tmp_path / "counts.csv", index_label="leaf")
    pd.DataFrame(np.exp(oaks.O[:, :12]).round(), leaves, taxa).to_csv(tmp_path / "totals.csv")
    trees = pd.DataFrame({"tree": oaks.leaves["tree"], "height": oaks.leaves["distTOground"]})
    trees.to_csv(tmp_path / "leaves.csv", index=False)
    return tmp_path


def run(folder, *options):
    command = ["fit", str(folder / "counts.csv"), "--out", str(folder / "out"), *options]
    result = CliRunner().invoke(app, command)
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.slow
def test_fit_writes_tables_and_plot(oaks):
    files = ["--offsets", str(oaks / "totals.csv"), "--log-offsets"]
    code, output = run(oaks, *files, "--covariates", str(oaks / "leaves.csv"), "--standard-errors")
    assert code == 0 and "116 samples, 12 taxa, 4 covariates" in output and "converged" in output
    coefficients = pd.read_csv(oaks / "out" / "coefficients.csv", index_col=0)
    assert list(coefficients.index) == ["intercept", "height", "tree_resistant", "tree_susceptible"]
    assert tuple(coefficients.columns) == load_oaks().taxa[:12]
    means = pd.read_csv(oaks / "out" / "latent_means.csv", index_col=0)
    assert means.index[3] == "leaf3"
    summary = json.loads((oaks / "out" / "summary.json").read_text())
    assert summary["schema"] == 1 and summary["converged"]
    assert (oaks / "out" / "fit.png").read_bytes()[:4] == b"\x89PNG"
    errors = pd.read_csv(oaks / "out" / "coefficient_table.csv", index_col=["covariate", "taxon"])
    assert errors.coefficient["height", "b_OTU_109"] == coefficients.loc["height", "b_OTU_109"]
    assert (errors.low < errors.coefficient).all() and (errors.standard_error > 0).all()
    again = load_fit(oaks / "out" / "fit.npz")
    np.testing.assert_allclose(again.coefficients, coefficients)


def replace(path, line, column, value):
    rows = [row.split(",") for row in path.read_text().splitlines()]
    rows[line - 1][column] = value
    path.write_text("\n".join(map(",".join, rows)) + "\n")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("x7", "counts.csv: line 5, column b_OTU_109 is 'x7', not a number."),
        ("", "counts.csv: line 5, column b_OTU_109 is empty, not a number."),
        ("-2", "counts.csv: line 5, column b_OTU_109 is -2; counts are whole numbers from 0 on."),
        ("1.5", "counts.csv: line 5, column b_OTU_109 is 1.5; counts are whole numbers"),
        ("inf", "counts.csv: line 5, column b_OTU_109 is inf; every entry must be a finite number"),
        ("9" * 400, "counts.csv: line 5, column b_OTU_109 is inf; every entry must be a finite"),
        ("1e12", "counts.csv: line 5, column b_OTU_109 is 1e+12; no sample has more than 1e+09"),
    ],
)
def test_a_bad_count_is_told_by_row_and_column(oaks, value, message):
    replace(oaks / "counts.csv", 5, 2, value)
    code, output = run(oaks)
    assert code == 2 and message in output and "Traceback" not in output


def test_bad_offsets(oaks):
    totals = oaks / "totals.csv"
    replace(totals, 4, 1, "0")
    code, output = run(oaks, "--offsets", str(totals), "--log-offsets")
    assert code == 2
    assert "totals.csv: line 4, column b_OTU_1045 is 0; a total must be positive" in output


def test_samples_in_another_order(oaks):
    table = pd.read_csv(oaks / "totals.csv")
    table.iloc[::-1].to_csv(oaks / "totals.csv", index=False)
    code, output = run(oaks, "--offsets", str(oaks / "totals.csv"))
    assert code == 2
    assert "totals.csv: line 2 is sample leaf115, but the counts have leaf0 there." in output


def rename(path, line, name):
    rows = path.read_text().splitlines()
    rows[line - 1] = name + "," + rows[line - 1].partition(",")[2]
    path.write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize(
    ("line", "name", "message"),
    [
        (
            4,
            "leaf77x",
            "line 4 is sample leaf77x, which the counts do not have (their first is leaf0)",
        ),
        (4, "leaf0", "line 4 is sample leaf0 once more."),
    ],
)
def test_other_samples_than_the_counts(oaks, line, name, message):
    rename(oaks / "totals.csv", line, name)
    code, output = run(oaks, "--offsets", str(oaks / "totals.csv"))
    assert code == 2 and output.startswith(f"totals.csv: {message}")


def test_a_sample_is_missing(oaks):
    lines = (oaks / "totals.csv").read_text().splitlines(keepends=True)
    (oaks / "totals.csv").write_text("".join(lines[:7] + lines[8:]))
    code, output = run(oaks, "--offsets", str(oaks / "totals.csv"))
    assert code == 2 and output == "totals.csv: sample leaf6 of the counts is missing."


def test_names_of_samples_are_no_covariate(oaks):
    trees = load_oaks().leaves["tree"]
    table = pd.DataFrame({"leaf": [f"oak{i}" for i in range(116)], "tree": trees})
    table.to_csv(oaks / "leaves.csv", index=False)
    code, output = run(oaks, "--covariates", str(oaks / "leaves.csv"))
    assert code == 2
    assert "leaves.csv: line 2 is sample oak0, which the counts do not have" in output


@pytest.mark.parametrize(("separator", "name"), [(";", "semicolons"), ("\t", "tabs")])
def test_other_separators(oaks, separator, name):
    counts = oaks / "counts.csv"
    counts.write_text(counts.read_text().replace(",", separator))
    code, output = run(oaks)
    assert code == 2 and output.startswith(f"counts.csv: the columns are separated by {name}. Save")


def test_names_that_are_used_twice(oaks):
    counts = oaks / "counts.csv"
    right = counts.read_text()
    counts.write_text(right.replace("b_OTU_109,", "b_OTU_1045,", 1))
    code, output = run(oaks)
    assert code == 2
    assert "counts.csv: columns 2 and 3 have the same name, 'b_OTU_1045'; names must" in output
    counts.write_text(right)
    rename(counts, 9, "leaf2")
    code, output = run(oaks)
    assert code == 2 and "counts.csv: lines 4 and 9 are both sample leaf2; the names" in output


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (1, "counts.csv: there is 1 sample; a covariance needs several."),
        (3, "leaves.csv: there are 4 columns for 3 samples; a fit needs at least as many samples."),
    ],
)
def test_too_few_samples(oaks, rows, message):
    for name in ("counts", "leaves"):
        lines = (oaks / f"{name}.csv").read_text().splitlines(keepends=True)
        some = [1, 41, 81][:rows]
        (oaks / f"{name}.csv").write_text("".join([lines[0], *(lines[i] for i in some)]))
    keep = pd.read_csv(oaks / "counts.csv", index_col=0)
    keep.loc[:, keep.sum() > 0].to_csv(oaks / "counts.csv", index_label="leaf")
    code, output = run(oaks, "--covariates", str(oaks / "leaves.csv"))
    assert code == 2 and message in output


@pytest.mark.parametrize("header", ["", "drop"])
def test_a_first_column_without_a_name_names_the_samples(oaks, header):
    """Numbers too: as pandas writes an index, or R the names of rows."""
    counts = pd.read_csv(oaks / "counts.csv", index_col=0)
    counts.index = range(101, 217)
    counts.to_csv(oaks / "counts.csv")
    if header == "drop":
        text = (oaks / "counts.csv").read_text()
        (oaks / "counts.csv").write_text(text.removeprefix(","))
    table = read_counts(oaks / "counts.csv")
    assert table.shape == (116, 12) and list(table.index[:2]) == ["101", "102"]


def test_an_earlier_fit_is_kept(oaks):
    (oaks / "out").mkdir()
    mine = oaks / "out" / "fit.png"
    mine.write_text("mine")
    code, output = run(oaks)
    assert code == 2 and mine.read_text() == "mine"
    assert "exists and is not empty. Name another folder, or give --overwrite" in output


def test_bad_covariates(oaks):
    leaves = oaks / "leaves.csv"
    replace(leaves, 3, 0, "")
    code, output = run(oaks, "--covariates", str(leaves))
    assert code == 2 and "leaves.csv: line 3, column tree is empty." in output
    leaves.write_text("tree\na\nb\n")
    code, output = run(oaks, "--covariates", str(leaves))
    assert code == 2 and "leaves.csv: 2 samples, but the counts have 116." in output


@pytest.mark.parametrize("content", ["", "a,b\n", '"a\n1,2,3\n4', "\x00\x01"])
def test_what_is_no_table(oaks, content):
    (oaks / "counts.csv").write_text(content)
    code, output = run(oaks)
    assert code == 2 and "Traceback" not in output and output.startswith("counts.csv: ")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # torch's own
def test_bench_ladder(tmp_path):
    figures, picture = tmp_path / "ladder.json", tmp_path / "ladder.png"
    options = ["--ladder", "--replicas", "1", "--iterations", "3", "--repeats", "1"]
    command = ["bench", *options, "--json", str(figures), "--plot", str(picture)]
    result = CliRunner().invoke(app, command, env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    rows = json.loads(figures.read_text())["ladder x1"]["rows"]
    assert rows["2 scan in jit"]["compilations"] >= 1
    assert rows["2 scan in jit"]["compilations_later"] == 0
    assert rows["2 eager scan"]["compilations_later"] == 1
    elbos = [rows[n]["elbo"] for n in rows if n[0] in "1234n"]
    np.testing.assert_allclose(elbos, elbos[0], rtol=1e-4)
    assert rows["L-BFGS solver"]["elbo"] > elbos[0]
    assert picture.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--peers", "--coverage"], "one at a time: --ladder, --peers, --coverage or"),
        (["--coverage", "--plot", "x.png"], "there is no picture of the coverage; leave out"),
    ],
)
def test_bench_options_that_do_not_go_together(options, message):
    result = CliRunner().invoke(app, ["bench", *options], env={"COLUMNS": "200"})
    assert result.exit_code == 2 and message in result.output


def test_version():
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    versions = f"jax {version('jax')}, Python {platform.python_version()}"
    assert result.output == f"plnkit {version('plnkit')} ({versions})\n"

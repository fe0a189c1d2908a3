"""A user's files in, tables and a plot out; a bad file gets one sentence."""

import dataclasses
import gzip
import json
import platform
import warnings
from importlib.metadata import version

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import plnkit
from plnkit import checks, load_fit, load_oaks, output
from plnkit.cli import app
from plnkit.csv_files import TableError


@pytest.fixture
def oaks(tmp_path):
    """The oaks as a user would have them: totals of reads, text covariates, named leaves."""
    oaks = load_oaks()
    leaves = [f"leaf{i}" for i in range(116)]
    taxa = oaks.taxa[:12]
    counts = pd.DataFrame(oaks.Y[:, :12].astype(int), leaves, taxa)
    counts.to_csv(tmp_path / "counts.csv", index_label="leaf")
    totals = pd.DataFrame(np.exp(oaks.O[:, :12]).round(), leaves, taxa)
    totals.iloc[::-1, ::-1].to_csv(tmp_path / "totals.csv")
    trees = pd.DataFrame({"tree": oaks.leaves["tree"], "height": oaks.leaves["distTOground"]})
    trees.to_csv(tmp_path / "leaves.csv", index=False)
    return tmp_path


def run(folder, *options):
    command = ["fit", str(folder / "counts.csv"), "--out", str(folder / "out"), *options]
    result = CliRunner().invoke(app, command)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.slow
def test_fit_writes_tables_and_plot(oaks):
    files = ["--offsets", str(oaks / "totals.csv"), "--log-offsets"]
    code, printed = run(oaks, *files, "--covariates", str(oaks / "leaves.csv"), "--standard-errors")
    assert code == 0 and "116 samples, 12 taxa, 4 covariates" in printed and "converged" in printed
    assert printed.startswith(
        "counts.csv: 116 samples, named by column leaf. "
        "totals.csv: 116 samples, named by column 1 (without a name). "
        "leaves.csv: 116 samples, row by row as in the other files. "
        "leaves.csv: tree is a factor of 3 levels: intermediate (the reference), resistant, "
        "susceptible. "
    )
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
    np.testing.assert_allclose(again.tables.O, load_oaks().O[:, :12], rtol=1e-6)

    code, printed = run(oaks, "--overwrite")
    assert code == 0 and not (oaks / "out" / "coefficient_table.csv").exists()
    assert sorted(path.name for path in oaks.iterdir()) == sorted(
        ["counts.csv", "totals.csv", "leaves.csv", "out"]
    )


def replace(path, line, column, value):
    rows = [row.split(",") for row in path.read_text().splitlines()]
    rows[line - 1][column] = value
    path.write_text("\n".join(map(",".join, rows)) + "\n")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("x7", "is 'x7', not a number."),
        ("-2", "is -2; counts are whole numbers from 0 on."),
        ("1.5", "is 1.5; counts are whole numbers"),
        ("inf", "is inf; every entry must be a finite number"),
        ("9" * 400, "is inf; every entry must be a finite"),
        ("1e12", "is 1e+12; no sample has more than 1e+09"),
    ],
)
def test_a_bad_count_is_told_by_line_and_column(oaks, value, message):
    """The line of the file, after a blank line and a cell with a line's end."""
    counts = oaks / "counts.csv"
    replace(counts, 5, 2, value)
    text = counts.read_text().replace("leaf1,", '\n"leaf\n1",', 1)
    counts.write_text(text)
    code, printed = run(oaks)
    assert code == 2 and f"counts.csv: line 7, column b_OTU_109 {message}" in printed
    assert not (oaks / "out").exists()


@pytest.mark.parametrize(
    ("file", "table"), [("offsets", "t.csv"), ("offsets", "one.csv"), ("covariates", "leaves.csv")]
)
def test_the_fits_errors_have_the_line_of_the_file(tmp_path, file, table):
    """Of a sample that stands elsewhere there than in the counts."""
    (tmp_path / "counts.csv").write_text(",a,b\ns1,1,2\ns2,4,3\ns3,0,1\n")
    (tmp_path / "t.csv").write_text(",b,a\ns3,1,2\n\ns1,3,inf\ns2,1,1\n")
    (tmp_path / "one.csv").write_text(",a_total\ns3,1\n\ns1,inf\ns2,1\n")
    (tmp_path / "leaves.csv").write_text(",tree,h\ns3,x,1\n\ns1,y,inf\ns2,y,1\n")
    code, printed = run(tmp_path, f"--{file}", str(tmp_path / table))
    column = {"t.csv": "a", "one.csv": "a_total", "leaves.csv": "h"}[table]
    assert code == 2
    assert f"{table}: line 4, column {column} is inf; every entry must be a finite" in printed


def test_an_earlier_fit_is_kept(oaks):
    (oaks / "out").mkdir()
    mine = oaks / "out" / "fit.png"
    mine.write_text("mine")
    code, printed = run(oaks)
    assert code == 2 and mine.read_text() == "mine"
    assert "exists and is not empty. Name another folder, or give --overwrite" in printed
    replace(oaks / "counts.csv", 5, 2, "-1")
    code, printed = run(oaks, "--overwrite")
    assert code == 2 and mine.read_text() == "mine"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (1, "counts.csv: there is 1 sample (a row), and a fit needs several."),
        (3, "leaves.csv: there are 4 columns for 3 samples; a fit needs at least as many samples."),
    ],
)
def test_too_few_samples(tmp_path, rows, message):
    samples = [f"s{i}" for i in range(rows)]
    pd.DataFrame({"a": [1, 2, 4][:rows]}, samples).to_csv(tmp_path / "counts.csv")
    leaves = pd.DataFrame({"h": [1.0, 2, 4], "k": [3, 1, 1], "tree": ["a", "a", "b"]})[:rows]
    leaves.to_csv(tmp_path / "leaves.csv", index=False)
    code, printed = run(tmp_path, "--covariates", str(tmp_path / "leaves.csv"))
    assert code == 2 and message in printed


def checked_only(monkeypatch):
    """Replace the fit by its checks of the data."""

    def fit(Y, O=None, X=None, covariance="full"):
        checks.check(Y, O=O, X=X)
        raise TableError("nothing is wrong")

    monkeypatch.setattr(plnkit, "fit", fit)


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        ([], "c.csv: 4 samples without names; column id_ is data."),
        (["--names", "id_"], "c.csv: 4 samples, named by column id_."),
        (["--no-names"], "c.csv: 4 samples, row by row as in the other files."),
        (["--samples-in-rows"], "c.csv: 4 samples without names; column id_ is data."),
        (["--names", "id_", "--taxa-in-rows"], "c.csv: 2 samples, named by the header."),
        (["--names", "id_", "--no-names"], "one of --names and --no-names"),
    ],
)
def test_options_decide_what_a_table_is(tmp_path, monkeypatch, options, printed):
    checked_only(monkeypatch)
    (tmp_path / "c.csv").write_text("id_,a,b\n4,1,2\n3,4,3\n2,7,1\n9,1,1\n")
    command = ["fit", str(tmp_path / "c.csv"), "--out", str(tmp_path / "out"), *options]
    result = CliRunner().invoke(app, command, env={"COLUMNS": "200"})
    assert result.exit_code == 2 and printed in result.output
    assert ("nothing is wrong" in result.output) == (printed[-10:] != "--no-names")


def test_factors_by_option(tmp_path, monkeypatch):
    checked_only(monkeypatch)
    (tmp_path / "counts.csv").write_text("a,b\n1,2\n4,3\n7,1\n1,1\n")
    (tmp_path / "x.csv").write_text("plot,year\n3,2020\n3,2021\n4,2020\n4,2021\n")
    options = ["--covariates", str(tmp_path / "x.csv"), "--factor", "plot", "--factor", "year"]
    code, printed = run(tmp_path, *options)
    assert code == 2 and printed.endswith(
        "x.csv: plot is a factor of 2 levels: 3 (the reference), 4. "
        "x.csv: year is a factor of 2 levels: 2020 (the reference), 2021. nothing is wrong"
    )


SAMPLES = "leaf,oak,ash\nl1,1,2\nl2,3,4\nl3,5,1\nl4,2,2\n"
ABOUT = "leaf,side,height,effort\nl4,north,4,1\nl3,south,1,1\nl2,north,2,0.5\nl1,south,3,2\n"
ASKED = {
    "formula": (["--formula", "side + offset(log(effort))"], {"covariance": "full", "O": None}),
    "whole formula": (
        ["--formula", "counts ~ C(height)", "--covariance", "diagonal"],
        {"covariance": "diagonal", "O": None},
    ),
    "scheme": (["--offsets", "RLE"], {"covariance": "full", "O": "RLE"}),
}


def write_samples(folder):
    (folder / "counts.csv").write_text(SAMPLES)
    (folder / "about.csv").write_text(ABOUT)
    return ["--covariates", str(folder / "about.csv")]


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_what_the_fit_is_asked(tmp_path, monkeypatch, small_fit, name):
    given, expected = ASKED[name]
    calls = []
    fit_as(monkeypatch, small_fit)
    give = plnkit.fit
    monkeypatch.setattr(plnkit, "fit", lambda *a, **k: calls.append((a, k)) or give(*a, **k))
    code, printed = run(tmp_path, *write_samples(tmp_path), *given)
    assert code == 0, printed
    (arguments, options) = calls[0]
    assert {key: options[key] for key in expected} == expected
    if "--formula" in given:
        text, data = arguments
        assert text.startswith("counts ~ ") and given[1].removeprefix("counts ~ ") in text
        needed = ["height"] if "C(height)" in text else ["side", "effort"]
        assert list(data["covariates"].columns) == needed


def test_a_formula_needs_the_file_of_its_variables(tmp_path):
    (tmp_path / "counts.csv").write_text(SAMPLES)
    code, printed = run(tmp_path, "--formula", "side")
    assert (code, printed) == (
        2,
        "side is in no file. Name that of the covariates: --covariates FILE.",
    )


@pytest.mark.gate
def test_weights_are_no_covariate(tmp_path, monkeypatch, small_fit):
    calls = []
    fit_as(monkeypatch, small_fit)
    give = plnkit.fit
    monkeypatch.setattr(plnkit, "fit", lambda *a, **k: calls.append(k) or give(*a, **k))
    code, printed = run(tmp_path, *write_samples(tmp_path), "--weights", "effort")
    assert code == 0, printed
    assert calls[0]["weights"].tolist() == [2, 0.5, 1, 1]
    assert list(calls[0]["X"].columns) == ["intercept", "height", "side_south"]


WRONG = {
    "no column": (["--weights", "mass"], "--weights: the covariates have no numbers called mass."),
    "text": (["--weights", "side"], "called side. Columns of numbers: height, effort."),
    "negative": (["--weights", "height"], "weights: sample l4, column height is -4; a weight is"),
    "formula": (
        ["--formula", "nowhere"],
        "about.csv: there is no column 'nowhere'. It has side, h",
    ),
    "twice": (
        ["--formula", "offset(effort)", "--offsets", "total"],
        "give offsets in the formula or in O, and not in both.",
    ),
    "kind": (["--covariance", "flat"], "covariance is 'flat'; give one of full, diagonal, spheric"),
    "no file": (["--offsets", "none.csv"], "there is no file none.csv"),
    "no offsets": (["--log-offsets"], "--log-offsets goes with --offsets FILE"),
    "logs": (["--offsets", "total", "--log-offsets"], "offsets by the scheme total are logs alrea"),
}


@pytest.mark.parametrize("name", WRONG)
def test_options_that_cannot_be(tmp_path, name):
    options, sentence = WRONG[name]
    files = write_samples(tmp_path)
    (tmp_path / "about.csv").write_text(ABOUT.replace("north,4", "north,-4"))
    code, printed = run(tmp_path, *files, *options)
    assert code == 2 and sentence in printed.replace("│ ", ""), printed
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_formula_from_the_command_line(oaks):
    files = ["--covariates", str(oaks / "leaves.csv"), "--formula", "tree * scale(height)"]
    code, printed = run(oaks, *files, "--offsets", "total", "--covariance", "diagonal")
    assert code == 0 and "12 taxa, 6 covariates, diagonal covariance" in printed, printed
    out = oaks / "out"
    summary = json.loads((out / "summary.json").read_text())
    assert summary["formula"] == "counts ~ tree * scale(height)"
    assert (summary["covariance"], summary["offsets"]) == ("diagonal", "total")
    assert not (out / "covariance.csv").exists() and 0 < summary["r_squared"] < 1
    variances = pd.read_csv(out / "variances.csv", index_col=0)["variance"]
    fit = load_fit(out / "fit.npz")
    np.testing.assert_allclose(variances, fit.variances)
    new = pd.DataFrame({"tree": ["resistant"], "height": [150.0]})
    assert fit.predict(O=[5.0], X=new).shape == (1, 12)


def fit_as(monkeypatch, fit, warning=None):
    """Replace the fit by one that is there, the plot by none, and warn."""

    def give(*_, **__):
        if warning is not None:
            warnings.warn(warning, stacklevel=1)
            warnings.warn(warning, stacklevel=1)
        return fit

    monkeypatch.setattr(plnkit, "fit", give)
    monkeypatch.setitem(output.WRITERS, "fit.png", lambda fit, path: path.write_text("plot"))


@pytest.mark.gate
def test_not_converged(tmp_path, monkeypatch, small_fit):
    warning = plnkit.ConvergenceWarning("the fit did not converge in 9 iterations.")
    fit_as(monkeypatch, dataclasses.replace(small_fit, converged=False), warning)
    (tmp_path / "counts.csv").write_text("a\n1\n2\n")
    code, printed = run(tmp_path)
    assert code == 3 and {path.name for path in (tmp_path / "out").iterdir()} == {
        "fit.npz",
        *output.WRITERS,
    }
    assert printed.count("Warning: the fit did not converge in 9 iterations.") == 1


def test_what_is_missing_is_said(tmp_path, monkeypatch, small_fit):
    def fail(_):
        raise MemoryError("9 GiB")

    fit_as(monkeypatch, dataclasses.replace(small_fit, converged=False))
    monkeypatch.setattr(plnkit.Fit, "coefficient_table", fail)
    (tmp_path / "counts.csv").write_text("a\n1\n2\n")
    code, printed = run(tmp_path, "--standard-errors")
    assert code == 1 and "coefficient_table.csv is missing: MemoryError: 9 GiB" in printed
    assert load_fit(tmp_path / "out" / "fit.npz").elbo == small_fit.elbo


def test_a_fit_that_cannot_be_saved(tmp_path, monkeypatch, small_fit):
    def fail(*_):
        raise OSError(28, "No space left on device")

    fit_as(monkeypatch, small_fit)
    monkeypatch.setattr(output, "save_fit", fail)
    (tmp_path / "counts.csv").write_text("a\n1\n2\n")
    code, printed = run(tmp_path)
    assert code == 1 and "The fit cannot be written: [Errno 28] No space left on device." in printed
    assert not (tmp_path / "out").exists()


def test_warnings_are_sentences(tmp_path, monkeypatch, small_fit):
    fit_as(monkeypatch, small_fit, UserWarning("the offsets look like totals."))
    (tmp_path / "counts.csv").write_text("a\n1\n2\n")
    code, printed = run(tmp_path)
    assert code == 0 and printed.count("Warning: the offsets look like totals.") == 1
    assert "UserWarning" not in printed


def test_warnings_for_programmers_stay(tmp_path, monkeypatch, small_fit):
    fit_as(monkeypatch, small_fit, DeprecationWarning("of another package"))
    (tmp_path / "counts.csv").write_text("a\n1\n2\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        code, printed = run(tmp_path)
    assert code == 0 and "of another package" not in printed
    assert "of another package" in [str(warning.message) for warning in caught]


def test_a_terminal_that_lacks_a_letter(tmp_path, monkeypatch):
    checked_only(monkeypatch)
    (tmp_path / "counts.csv").write_text("\u03b2,b\n1,3\n2,4\n", encoding="utf-8")
    command = ["fit", str(tmp_path / "counts.csv"), "--out", str(tmp_path / "out")]
    result = CliRunner(charset="ascii").invoke(app, command)
    assert result.exit_code == 2 and r"column \u03b2 is data" in result.output
    assert "nothing is wrong" in result.output


WHOLE = {
    "counts": b"leaf,a,b\ns1,1,2\ns2,3,4\ns3,5,1\n",
    "offsets": ",b,a\ns3,1.5,2\ns1,1,1\ns2,1e2,3\n".encode("utf-16"),
    "covariates": gzip.compress('leaf;tree;h\ns3;x;1,5\n\ns2;"y";2\ns1;y;7\n'.encode("utf-8-sig")),
}
PIECES = [
    b"",
    b",",
    b";",
    b"\t",
    b'"',
    b"\n",
    b"\r",
    b"\0",
    b"\xff",
    b"\xfe",
    b"\xe9",
    b"NA",
    b"-",
    b"9" * 400,
]


@st.composite
def damaged(draw, content):
    """Bytes in which some were replaced, doubled or cut out, anywhere."""
    for _ in range(draw(st.integers(0, 3))):
        i, j = sorted((draw(st.integers(0, len(content))), draw(st.integers(0, len(content)))))
        j = draw(st.sampled_from([i, min(i + 1, len(content)), j]))
        piece = draw(st.sampled_from([*PIECES, content[i:j] * 2]) | st.binary(max_size=4))
        content = content[:i] + piece + content[j:]
    return content


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    counts=damaged(WHOLE["counts"]) | st.binary(max_size=40),
    offsets=st.none() | damaged(WHOLE["offsets"]),
    covariates=st.none()
    | damaged(gzip.decompress(WHOLE["covariates"]))
    | damaged(WHOLE["covariates"]),
    options=st.lists(
        st.sampled_from(
            ["--log-offsets", "--no-names", "--names=leaf", "--factor=h", "--taxa-in-rows"]
        ),
        max_size=2,
    ),
)
@example(**WHOLE, options=[])
def test_no_bytes_end_in_a_traceback(tmp_path_factory, counts, offsets, covariates, options):
    """And nothing is written but a sentence."""
    folder = tmp_path_factory.getbasetemp() / "damaged"
    folder.mkdir(exist_ok=True)
    (folder / "counts.csv").write_bytes(counts)
    for name, content in (("offsets", offsets), ("covariates", covariates)):
        if content is not None:
            (folder / f"{name}.csv").write_bytes(content)
            options = [*options, f"--{name}={folder / name}.csv"]
    with pytest.MonkeyPatch.context() as monkeypatch:
        checked_only(monkeypatch)
        code, printed = run(folder, *options)
    assert code == 2 and printed and not (folder / "out").exists()
    if (counts, offsets, covariates) == tuple(WHOLE.values()) and len(options) == 2:
        assert printed.endswith("nothing is wrong")


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
        (["--peers", "--coverage"], "one at a time: --ladder, --peers, --coverage, --inf"),
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

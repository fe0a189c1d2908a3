"""The command `plnkit`: fit a table of counts, run the benchmarks."""

import io
import json
import platform
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

import plnkit
from plnkit.covariance import KINDS
from plnkit.covariates import code_covariates
from plnkit.csv_files import Sheet, TableError
from plnkit.extras import MissingExtraError
from plnkit.formula import parse
from plnkit.installation import find_problem
from plnkit.offsets import SCHEMES
from plnkit.output import OutputError, new_folder, write_fit, write_standard_errors
from plnkit.problems import LayoutWarning
from plnkit.tables import Inputs, read_inputs


class ModelCommands(TyperGroup):
    """All commands; here a missing extra becomes one sentence and an exit status."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except MissingExtraError as error:
            console.print(Text(str(error), "red"))
            raise typer.Exit(2) from None


app = typer.Typer(
    cls=ModelCommands, help="The Poisson-lognormal model in JAX.", no_args_is_help=True
)
console = Console() if sys.stdout.isatty() else Console(width=140)
Csv = Annotated[Path | None, typer.Option(exists=True, dir_okay=False)]


def _show_version(wanted: bool) -> None:
    """Print the versions that a bug report needs, from what pip recorded."""
    if wanted:
        kit, jax = metadata.version("plnkit"), metadata.version("jax")
        typer.echo(f"plnkit {kit} (jax {jax}, Python {platform.python_version()})")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
]


@app.callback()
def main(version: Version = False) -> None:
    """Fit the Poisson-lognormal model, and measure how fast that is."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may lack letters that a table has
        sys.stdout.reconfigure(errors="backslashreplace")


@app.command()
def doctor() -> None:
    """Say whether another package has taken the name `autograder`."""
    problem = find_problem()
    console.print(Text(problem or "Nothing else here is called `autograder`."))
    if problem:
        raise typer.Exit(1)


@app.command()
def fit(
    counts: Annotated[Path, typer.Argument(help="samples in rows, taxa in columns")],
    out: Annotated[Path, typer.Option(help="new folder for the tables and the plot")],
    offsets: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="or total, TSS or RLE: computed from the counts by this scheme"
        ),
    ] = None,
    covariates: Csv = None,
    formula: Annotated[
        str | None,
        typer.Option(help="of the covariates, as 'site * season + offset(log(total))'"),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="of the covariates' file: the samples' weights"),
    ] = None,
    covariance: Annotated[
        str, typer.Option(metavar="KIND", help=f"of the latent positions: {', '.join(KINDS)}")
    ] = "full",
    log_offsets: Annotated[
        bool, typer.Option(help="take the log of the offsets: they are totals of reads")
    ] = False,
    names: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="names the samples; again for one of another file"),
    ] = None,
    no_names: Annotated[
        bool, typer.Option("--no-names", help="all files have the same samples, row by row")
    ] = False,
    factor: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="a covariate that is no number; again for more"),
    ] = None,
    taxa_in_rows: Annotated[
        bool | None,
        typer.Option("--taxa-in-rows/--samples-in-rows", help="what a row of the counts is"),
    ] = None,
    standard_errors: Annotated[
        bool,
        typer.Option(help="also write coefficient_table.csv: errors and intervals; takes longer"),
    ] = False,
    overwrite: Annotated[bool, typer.Option(help="replace the files of an earlier fit")] = False,
) -> None:
    """Fit a table of counts; tables and a plot are written to a folder.

    The CSV files have a header. A first column without a name, or with one such as SampleID, names
    the samples; rows may then be in any order. Text covariates become indicators; an intercept is
    added. `plnkit.load_fit` reads fit.npz.

    Exit status: 0; 1 when a file is missing; 2 when the input is wrong, and nothing is written; 3
    when the fit did not converge, and all is written.
    """
    if names and no_names:
        raise typer.BadParameter("one of --names and --no-names")
    scheme = offsets if offsets in SCHEMES else None
    if scheme and log_offsets:
        raise typer.BadParameter(f"offsets by the scheme {scheme} are logs already")
    if log_offsets and not offsets:
        raise typer.BadParameter("--log-offsets goes with --offsets FILE")
    if offsets and not scheme and not Path(offsets).is_file():
        raise typer.BadParameter(f"there is no file {offsets}", param_hint="--offsets")
    with _errors_as_sentences(), _warnings_as_sentences():
        text = formula if formula is None or "~" in formula else f"counts ~ {formula}"
        inputs = read_inputs(
            counts,
            Path(offsets) if offsets and not scheme else None,
            covariates,
            log_offsets=log_offsets,
            names=names or (),
            no_names=no_names,
            factors=factor or (),
            taxa_in_rows=taxa_in_rows,
            wanted=None if text is None else _find_variables(text, weights, covariates),
        )
        _tell(inputs.decisions, inputs.doubts)
        with new_folder(out, overwrite) as folder:
            result = _fit(inputs, scheme, text, weights, covariance)
            missing = write_fit(result, folder)
        if standard_errors:  # the fit is safe, whatever becomes of them
            missing += write_standard_errors(result, out)
    _say(str(result).rsplit("\n", 1)[0])
    _say(f"Written to {out}.")
    for sentence in missing:
        _say(sentence, "red")
    if missing or not result.converged:
        raise typer.Exit(1 if missing else 3)


def _find_variables(formula: str, weights: str | None, file: Path | None) -> dict[str, bool]:
    """Find the covariates that a formula needs, and which of them it takes as factors."""
    try:
        terms = parse(formula)
    except plnkit.DataError as error:
        raise TableError(str(error)) from None
    names = (*terms.of_covariates, *terms.of_offsets, *([] if weights is None else [weights]))
    if names and file is None:
        raise TableError(
            f"{names[0]} is in no file. Name that of the covariates: --covariates FILE."
        )
    factors = {part.category for text, part in terms.factors.items() if part.category != text}
    return {name: name in factors for name in names}


def _fit(
    inputs: Inputs, scheme: str | None, formula: str | None, weights: str | None, covariance: str
) -> plnkit.Fit:
    """Fit the model; faults of the data are reported by file and line."""
    table, options = inputs.covariates, {"covariance": covariance, "O": scheme or inputs.offsets}
    if weights is not None:
        known = [] if table is None else list(table.select_dtypes("number"))
        if table is None or weights not in known:
            raise TableError(
                f"--weights: the covariates have no numbers called {weights}. Columns of numbers: "
                f"{', '.join(known) or 'none'}."
            )
        options["weights"], table = table[weights], table.drop(columns=weights)
    try:
        if formula is not None:
            data = {"counts": inputs.counts} | ({} if table is None else {"covariates": table})
            return plnkit.fit(formula, data, **options)
        X = None
        if table is not None and len(table.columns):
            X, notes = code_covariates(table, inputs.sheets["covariates"].file)
            _tell(notes, [])
        return plnkit.fit(inputs.counts, X=X, **options)
    except plnkit.DataError as error:
        raise TableError(_explain(error, inputs.sheets)) from None
    except ValueError as error:  # options that do not go together
        raise TableError(str(error)) from None


def _explain(error: plnkit.DataError, sheets: dict[str, Sheet]) -> str:
    """Return what is wrong, with the line of the file where it is about one entry."""
    sheet = sheets.get(error.table)
    if sheet is None:
        return str(error)
    if error.row is None:
        return f"{sheet.file}: {error.problem}"
    # A table of one offset a sample, and a design, have other columns than the fit or the file.
    single = sheet.header[0] if len(sheet.header) == 1 else error.column
    known = error.column in sheet.header
    line, column = sheet.place(error.row, sheet.header.index(error.column) if known else 0)
    return f"{sheet.file}: line {line}, column {column if known else single} {error.problem}"


@contextmanager
def _errors_as_sentences() -> Iterator[None]:
    """Show what is wrong with the input in a sentence, and exit with status 2."""
    try:
        yield
    except (TableError, OutputError) as error:
        _say(str(error), "red")
        raise typer.Exit(2) from None
    except OSError as error:
        _say(f"The fit cannot be written: {error}.", "red")
        raise typer.Exit(1) from None


@contextmanager
def _warnings_as_sentences() -> Iterator[None]:
    """Show warnings for users as sentences, once each; other warnings as Python does."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", LayoutWarning)  # `read_inputs` says more of files
        try:
            yield
        finally:
            texts = [str(w.message) for w in caught if issubclass(w.category, UserWarning)]
            _tell([], list(dict.fromkeys(texts)))
    for warning in caught:
        if not issubclass(warning.category, UserWarning):
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )


def _tell(facts: list[str], doubts: list[str]) -> None:
    for sentence in facts:
        _say(sentence)
    for sentence in doubts:
        _say(f"Warning: {sentence}", "yellow")


def _say(sentence: str, style: str = "") -> None:
    console.print(Text(sentence, style), soft_wrap=True)


@app.command()
def bench(
    ladder: Annotated[bool, typer.Option(help="every level of the ladder")] = False,
    peers: Annotated[bool, typer.Option(help="against pyPLNmodels and PyTorch")] = False,
    coverage: Annotated[bool, typer.Option(help="of the intervals, on simulated data")] = False,
    inference: Annotated[
        bool, typer.Option(help="of latent positions, on simulated data with unknown counts")
    ] = False,
    host: Annotated[bool, typer.Option(help="what a fit costs beside the solver")] = False,
    device: Annotated[str, typer.Option(help="cpu or gpu, for the ladder")] = "cpu",
    replicas: Annotated[
        list[int] | None, typer.Option(help="oaks repeated; give it again for more sizes")
    ] = None,
    iterations: Annotated[int, typer.Option(help="of the ladder")] = 1000,
    repeats: Annotated[int, typer.Option(help="turns, of which the median counts")] = 5,
    data_sets: Annotated[
        int | None, typer.Option(help="drawn in each setting, for --coverage and --inference")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="figures")] = None,
    plot: Annotated[Path | None, typer.Option(help="picture")] = None,
) -> None:
    """Measure the ladder (default) or the host, race the peers, or try errors and inference."""
    from plnkit import benchmark, calibration, plots, race
    from plnkit import coverage as intervals
    from plnkit import host as around

    if ladder + peers + coverage + inference + host > 1:
        raise typer.BadParameter(
            "one at a time: --ladder, --peers, --coverage, --inference or --host"
        )
    if (coverage or inference or host) and plot:
        which = "coverage" if coverage else "inference" if inference else "host"
        raise typer.BadParameter(f"there is no picture of the {which}; leave out --plot")
    results: dict[str, Any]
    with _progress() as progress:
        task = progress.add_task("starting", total=None)

        def tell(what: str) -> None:
            progress.update(task, description=what)

        if peers:
            sizes = replicas or [1, 10, 100]
            results = {"peers": race.race(sizes, repeats=repeats, progress=tell)}
            make_table = race.table
        elif coverage:
            few = {} if data_sets is None else {"data_sets": data_sets, "bootstraps": data_sets}
            results = {"coverage": intervals.measure_coverage(**few, progress=tell)}
            make_table = intervals.table
        elif inference:
            few = {} if data_sets is None else {"data_sets": data_sets}
            results = {"inference": calibration.measure_calibration(**few, progress=tell)}
            make_table = calibration.table
        elif host:
            results = {
                "host": around.measure_host(replicas or [1, 10, 100], (None, "tree"), repeats, tell)
            }
            make_table = around.table
        else:
            make_table = benchmark.table
            there = benchmark.find_device(device)
            results = {
                f"ladder x{size}": benchmark.ladder(there, size, iterations, repeats, tell)
                for size in replicas or [1, 100]
            }
    for name, result in results.items():
        _show(name, make_table(result))
        where = result["environment"]
        versions = ", ".join(f"{k} {v}" for k, v in where["versions"].items() if v)
        console.print(f"{where['date']}, {where['device']}, {where['processor']}, {versions}")
    if json_file:
        json_file.write_text(
            json.dumps({"schema": 1, **results}, indent=1) + "\n", encoding="utf-8"
        )
    if plot:
        last = list(results.values())[-1]
        figure = plots.plot_race(last) if peers else plots.plot_ladder(last)
        figure.savefig(plot, dpi=120)


def _progress() -> Progress:
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    return Progress(*columns, console=Console(file=sys.stderr), transient=True)


def _show(title: str, lines: list[tuple[str, ...]]) -> None:
    header, *rows = lines
    shown = Table(title=title)
    for i, cell in enumerate(header):
        shown.add_column(cell, justify="right" if i else "left")
    for row in rows:
        shown.add_row(*row)
    console.print(shown)

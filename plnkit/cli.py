"""The command `plnkit`: fit a table of counts, run the benchmarks."""

import json
import platform
import sys
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
from plnkit.extras import MissingExtraError
from plnkit.installation import find_problem
from plnkit.tables import TableError, read_counts, read_covariates, read_offsets


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
    offsets: Csv = None,
    covariates: Csv = None,
    log_offsets: Annotated[
        bool, typer.Option(help="take the log of the offsets: they are totals of reads")
    ] = False,
    standard_errors: Annotated[
        bool,
        typer.Option(help="also write coefficient_table.csv: errors and intervals; takes longer"),
    ] = False,
    overwrite: Annotated[bool, typer.Option(help="replace the files of an earlier fit")] = False,
) -> None:
    """Fit a table of counts; tables and a plot are written to a folder.

    The CSV files have a header. A first column that holds no numbers, or has no name, names the
    samples. Text covariates become indicators; an intercept is added. `plnkit.load_fit` reads
    fit.npz.
    """
    files = {"counts": counts, "offsets": offsets, "covariates": covariates}
    if not overwrite and out.exists() and (not out.is_dir() or any(out.iterdir())):
        console.print(
            Text(f"{out} exists and is not empty. Name another folder, or", "red"), end=" "
        )
        console.print(Text("give --overwrite to replace the files of an earlier fit.", "red"))
        raise typer.Exit(2)
    try:
        Y = read_counts(counts)
        O = read_offsets(offsets, Y, log_offsets) if offsets else None
        X = read_covariates(covariates, Y) if covariates else None
        result = plnkit.fit(Y, O=O, X=X)
    except (TableError, plnkit.DataError) as error:
        console.print(Text(_explain(error, files), "red"))
        raise typer.Exit(2) from None
    out.mkdir(parents=True, exist_ok=True)
    for name in ("coefficients", "covariance", "precision", "latent_means", "fitted"):
        getattr(result, name).to_csv(out / f"{name}.csv")
    if standard_errors:
        result.coefficient_table().to_csv(out / "coefficient_table.csv", index=False)
    plnkit.save_fit(result, out / "fit.npz")
    result.plot().savefig(out / "fit.png", dpi=120)
    summary = {
        "schema": 1,
        "elbo": result.elbo,
        "elbo_stirling": result.elbo_stirling,
        "bic": result.bic,
        "iterations": result.iterations,
        "converged": result.converged,
        "dtype": result.dtype,
    }
    (out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    console.print(Text(str(result).rsplit("\n", 1)[0]))
    console.print(Text(f"Written to {out}."))


def _explain(error: Exception, files: dict[str, Path | None]) -> str:
    """Return what is wrong, with the line of the file where it is about one entry."""
    file = files.get(error.table) if isinstance(error, plnkit.DataError) else None
    if not isinstance(error, plnkit.DataError) or file is None:
        return str(error)
    if error.row is None:
        return f"{file.name}: {error.problem}"
    return f"{file.name}: line {error.row + 2}, column {error.column} {error.problem}"


@app.command()
def bench(
    ladder: Annotated[bool, typer.Option(help="every level of the ladder")] = False,
    peers: Annotated[bool, typer.Option(help="against pyPLNmodels and PyTorch")] = False,
    coverage: Annotated[bool, typer.Option(help="of the intervals, on simulated data")] = False,
    device: Annotated[str, typer.Option(help="cpu or gpu, for the ladder")] = "cpu",
    replicas: Annotated[
        list[int] | None, typer.Option(help="oaks repeated; give it again for more sizes")
    ] = None,
    iterations: Annotated[int, typer.Option(help="of the ladder")] = 1000,
    repeats: Annotated[int, typer.Option(help="turns, of which the median counts")] = 5,
    json_file: Annotated[Path | None, typer.Option("--json", help="figures")] = None,
    plot: Annotated[Path | None, typer.Option(help="picture")] = None,
) -> None:
    """Measure the ladder (default), race the peers, or try the standard errors."""
    from plnkit import benchmark, plots, race
    from plnkit import coverage as intervals

    if ladder + peers + coverage > 1:
        raise typer.BadParameter("one at a time: --ladder, --peers or --coverage")
    if coverage and plot:
        raise typer.BadParameter("there is no picture of the coverage; leave out --plot")
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
            results = {"coverage": intervals.measure_coverage(progress=tell)}
            make_table = intervals.table
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

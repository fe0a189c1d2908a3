"""Pictures, from real runs: what is drawn, said, coloured, and whether it can be read."""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import matplotlib.image
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from jax import lax
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

import plnkit
from plnkit import plots
from plnkit.compile_counts import compile_counts
from plnkit.plots.notebook_figure import NotebookFigure

LADDER = Path(__file__).parents[1] / "benchmarks" / "ladder-cpu.json"


@pytest.fixture(scope="module")
def oaks():
    return plnkit.load_oaks()


@pytest.fixture(scope="module")
def fit(oaks):
    return plnkit.fit(oaks.Y, O=oaks.O, X=oaks.X)


def root_or_zero(x):
    return lax.cond(x > 0, jnp.sqrt, jnp.zeros_like, x)


def python_loop(x):
    for _ in range(20):
        x = x - 0.1 * jnp.sin(x)
    return x


def scanned(x):
    return lax.scan(lambda x, _: (x - 0.1 * jnp.sin(x), None), x, length=20)[0]


def lines(axis):
    return [text.get_text() for text in axis.texts]


def legend(axis: Axes) -> list[str]:
    found = axis.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


def highlighted(axis):
    """The lines that lie in a coloured band."""
    bands = [patch.get_y() + 0.5 for patch in axis.patches]
    return [t.get_text().strip() for t in axis.texts if t.get_position()[1] in bands]


def test_what_vmap_makes_of_cond():
    alone = jax.make_jaxpr(root_or_zero)(jnp.float32(1))
    many = jax.make_jaxpr(jax.vmap(root_or_zero))(jnp.ones(3))
    left, right = plots.plot_jaxprs(alone, many, ("alone", "under vmap")).axes
    assert (left.get_title("left"), right.get_title("left")) == ("alone", "under vmap")
    assert lines(left)[0] == "{ lambda ; a:f32[]. let" and lines(right)[-1].strip() == "in (k,) }"
    gone, new = highlighted(left), highlighted(right)
    assert gone[0] == "d:f32[] = cond[" and gone[-1] == "] c a" and len(gone) == 6
    assert [line.split(" = ")[1].split()[0] for line in new].count("select_n") == 3
    assert not any("cond" in line for line in lines(right)) and "j:f32[3] = sqrt i" in new
    # shapes alone do not count: the comparison is on both sides, as f32[] and as f32[3]
    assert not any(" gt " in line for line in gone + new)


def test_a_static_value_is_in_the_program():
    log, cube = (jax.make_jaxpr(lambda x, p=p: jnp.log(x) if p == 0 else x**p)(2.0) for p in (0, 3))
    left, right = plots.plot_jaxprs(log, cube).axes
    assert (left.get_title("left"), right.get_title("left")) == ("before", "after")
    assert highlighted(left) == ["b:f32[] = log a"]
    assert highlighted(right) == ["b:f32[] = integer_pow[y=3] a"]


def test_the_same_twice_has_nothing_to_highlight():
    two, three = (jax.make_jaxpr(lambda x: jnp.exp(x) * 2)(jnp.ones(n)) for n in (2, 3))
    for axis in plots.plot_jaxprs(two, three).axes:
        assert highlighted(axis) == [] and len(lines(axis)) == 4


def test_a_variable_put_in_shifts_the_names_of_the_others():
    before = jax.make_jaxpr(lambda x: jnp.cos(jnp.exp(x)))(1.0)
    after = jax.make_jaxpr(lambda x: jnp.cos(jnp.exp(jnp.sin(x))))(1.0)
    left, right = plots.plot_jaxprs(before, after).axes
    assert highlighted(left) == [] and highlighted(right) == ["b:f32[] = sin a"]


def test_a_dtype_is_a_difference():
    real, integer = (jax.make_jaxpr(lambda x: -x)(x) for x in (1.0, 1))
    left, right = plots.plot_jaxprs(real, integer).axes
    assert "b:f32[] = neg a" in highlighted(left) and "b:i32[] = neg a" in highlighted(right)


def test_a_long_jaxpr_is_cut_and_says_so():
    jaxprs = jax.make_jaxpr(python_loop)(1.0), jax.make_jaxpr(scanned)(1.0)
    left, right = plots.plot_jaxprs(*jaxprs, n_lines=10).axes
    assert len(lines(left)) == len(lines(right)) == 10
    # 62 lines: first and last, and 20 times sin, mul, sub, of which one group is like the scan's
    assert lines(left)[-1] == "… 53 more lines, 49 of them different"
    assert lines(right)[1].strip() == "b:f32[] = scan[" and "more lines" in lines(right)[-1]
    whole, _ = plots.plot_jaxprs(*jaxprs, n_lines=62).axes
    assert len(lines(whole)) == 62 and "more lines" not in lines(whole)[-1]


def test_a_long_line_is_cut_within_its_panel():
    jaxpr = jax.make_jaxpr(lambda x: x.reshape([1] * 40))(jnp.ones(1))
    figure = plots.plot_jaxprs(jaxpr, jax.make_jaxpr(root_or_zero)(1.0))
    assert isinstance(figure, NotebookFigure)
    figure._repr_png_()  # draws it: only then is the layout made
    longest = max(lines(figure.axes[0]), key=len)
    assert len(longest) == 60 and longest.endswith("…")
    for axis in figure.axes:
        right = axis.get_window_extent().x1
        assert all(text.get_window_extent().x1 <= right for text in axis.texts)


def test_compilations_over_calls():
    function, variants = jnp.tanh, {}
    inputs = [np.ones(n, np.float32) for n in (3, 3, 4, 3, 5)]
    kept = jax.jit(lambda x: function(x) + 1)
    runs = {"kept": kept, "anew": lambda x: jax.jit(lambda x: function(x) + 1)(x)}
    for name, run in runs.items():
        variants[name] = []
        for x in inputs:
            with compile_counts() as counted:
                jax.block_until_ready(run(x))
            variants[name].append(counted["compilations"])
    (axis,) = plots.plot_compilations(variants).axes
    kept_line, anew_line = axis.lines
    assert np.asarray(kept_line.get_xdata()).tolist() == [0, 1, 2, 3, 4, 5]
    assert np.asarray(kept_line.get_ydata()).tolist() == [0, 1, 1, 2, 2, 3]
    assert np.asarray(anew_line.get_ydata()).tolist() == [0, 1, 2, 3, 4, 5]
    assert kept_line.get_linewidth() > anew_line.get_linewidth()  # both show where they are one
    assert legend(axis) == ["kept: 3 compilations", "anew: 5 compilations"]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("calls", "compilations so far")


def test_one_compilation_is_singular():
    (axis,) = plots.plot_compilations({"mine": [1, 0]}).axes
    assert legend(axis)[0] == "mine: 1 compilation"


def test_covariance_of_the_oaks(fit, oaks):
    axis, bar = plots.plot_covariance(fit.parameters.Sigma, oaks.taxa, ["E_alphitoides"]).axes
    drawn = np.asarray(axis.images[0].get_array())
    assert drawn.shape == (114, 114) and axis.images[0].get_clim() == (-1, 1)
    np.testing.assert_allclose(np.diag(drawn), 1)
    np.testing.assert_allclose(drawn, drawn.T)
    Sigma = fit.parameters.Sigma
    deviation = np.sqrt(np.diag(Sigma))
    given = Sigma / np.outer(deviation, deviation)
    np.testing.assert_allclose(np.sort(drawn, axis=None), np.sort(given, axis=None))
    # structure: neighbours in the picture are alike, as they are not in the table's order
    assert np.diag(drawn, 1).mean() > 0.5 > 0.2 > np.diag(given, 1).mean()
    (place,), (name,) = axis.get_yticks(), axis.get_yticklabels()
    assert name.get_text() == "E_alphitoides" and len(axis.get_xticks()) == 0
    mildew = given[oaks.taxa.index("E_alphitoides")]
    np.testing.assert_allclose(np.sort(drawn[place]), np.sort(mildew))
    assert axis.get_title() == "Correlations of 114 taxa, similar ones side by side"
    assert bar.get_ylabel() == "correlation"


def test_few_taxa_are_all_named():
    Sigma = [[4, 0.0, 1.8], [0.0, 9, 0.1], [1.8, 0.1, 1]]  # oak and elm go together
    axis = plots.plot_covariance(Sigma, ["oak", "ash", "elm"]).axes[0]
    names = [label.get_text() for label in axis.get_yticklabels()]
    assert names in (["ash", "oak", "elm"], ["ash", "elm", "oak"], ["oak", "elm", "ash"])
    assert [label.get_text() for label in axis.get_xticklabels()] == names
    oak, elm = names.index("oak"), names.index("elm")
    assert np.asarray(axis.images[0].get_array())[oak, elm] == pytest.approx(0.9)


def test_one_taxon():
    axis = plots.plot_covariance([[2.0]], ["oak"]).axes[0]
    assert np.asarray(axis.images[0].get_array()).item() == pytest.approx(1)


def test_a_failed_fit_has_no_correlations():
    with pytest.raises(ValueError, match="not finite: the fit has failed on its way"):
        plots.plot_covariance([[1.0, np.nan], [np.nan, 1.0]], ["oak", "ash"])


def test_a_fit_shows_the_same_correlations(fit, oaks):
    third = fit.plot().axes[2].images[0].get_array()
    alone = plots.plot_covariance(fit.parameters.Sigma, oaks.taxa).axes[0].images[0].get_array()
    np.testing.assert_array_equal(third, alone)


def test_the_ladder_by_iteration_and_by_time():
    result = json.loads(LADDER.read_text())["ladder x1"]
    climb, clock, cost = plots.plot_ladder(result).axes
    traced = [name for name, row in result["rows"].items() if "trace" in row]
    assert [line.get_label() for line in climb.lines] == traced
    assert [name.get_text() for name in cost.get_yticklabels()] == list(result["rows"])
    assert cost.yaxis_inverted()
    for by_iteration, by_time, name in zip(climb.lines, clock.lines, traced, strict=True):
        row = result["rows"][name]
        np.testing.assert_array_equal(by_iteration.get_ydata(), by_time.get_ydata())
        seconds = np.asarray(by_time.get_xdata())
        assert seconds[-1] == pytest.approx(row["run_seconds"], rel=1e-6)
        bar = cost.patches[list(result["rows"]).index(name)]
        assert isinstance(bar, Rectangle)
        assert bar.get_width() == row["ms_per_iteration"]
        colors = [to_rgb(line.get_color()) for line in (by_iteration, by_time)]
        assert colors == [bar.get_facecolor()[:3]] * 2, name
    widths = [line.get_linewidth() for line in climb.lines]
    assert widths == sorted(widths, reverse=True) and len(set(widths)) == len(widths)
    assert clock.get_xlabel() == "seconds, compilation left out"


def test_a_notebook_shows_the_picture_on_any_theme(tmp_path):
    figure = plots.plot_compilations({"mine": [1, 0]})
    data, _ = DisplayFormatter().format(figure)  # as a kernel's last line, pyplot not imported
    (tmp_path / "shown.png").write_bytes(data["image/png"])
    pixels = matplotlib.image.imread(tmp_path / "shown.png")
    opaque = np.ones(pixels.shape[:2])
    np.testing.assert_array_equal(pixels[..., 3], opaque)
    np.testing.assert_array_equal(pixels[0, 0], [1, 1, 1, 1])  # white under black letters

"""Are inferred positions as sure as they may be? Intervals and expected counts against truths.

A model is fitted to counts that were drawn, and positions of other samples are inferred, of whose
counts some are not known. The model's own errors are a part of what is measured.
"""

from typing import Any

import jax
import numpy as np
import scipy

from plnkit.coverage import LEVEL, Progress, Setting, draw, draw_model, try_each
from plnkit.fitting import fit
from plnkit.machine import environment

SETTINGS = (
    Setting(300, 10, 2, -1.0),
    Setting(300, 10, 2, 0.0),
    Setting(300, 10, 2, 2.0),
    Setting(300, 30, 3, 1.0),
    Setting(1000, 30, 3, 1.0),
)
UNKNOWN = (0.0, 0.25, 0.5, 1.0)  # shares of the counts
NEW_SAMPLES = 100
KINDS = ("known", "unknown")


def measure_calibration(
    data_sets: int = 200, progress: Progress = lambda what: None
) -> dict[str, Any]:
    """Calibrate `Fit.infer` in each of `SETTINGS`.

    Args:
        data_sets: drawn in each setting, with as many fits.

    Returns:
        `environment`, and `calibration` by setting and share of unknown counts.
    """
    calibration = try_each(SETTINGS, calibrate, data_sets, progress)
    command = f"plnkit bench --inference ({data_sets} data sets)"
    return {
        "schema": 1,
        "environment": environment(jax.devices()[0], command),
        "calibration": calibration,
    }


def calibrate(setting: Setting, data_sets: int, progress: Progress) -> list[dict[str, Any]]:
    """Compare inferred positions with those that the counts were drawn with.

    Returns:
        For each share of unknown counts, of `known` and `unknown` ones: the share of 95% intervals
        that hold the position, and the sum of expected counts over that of the means that counts
        were drawn with. None where there are no such counts.
    """
    r = np.random.default_rng(setting[:3])
    B, root = draw_model(r, setting)
    half = scipy.special.ndtri(0.5 + LEVEL / 2)
    # [share, known or not, (intervals, those that hold, expected, true)]
    sums = np.zeros((len(UNKNOWN), 2, 4))
    for k in range(data_sets):
        progress(f": data set {k + 1} of {data_sets}")
        seen, new = draw(r, setting.n, B, root), draw(r, NEW_SAMPLES, B, root)
        fitted = fit(seen.Y, O=seen.O, X=seen.X)
        order, true = r.random(new.Y.shape), np.exp(new.O + new.Z)
        for i, share in enumerate(UNKNOWN):
            unknown = order < share
            found = fitted.infer(np.where(unknown, np.nan, new.Y), O=new.O, X=new.X)
            means, deviations, expected = (table.to_numpy() for table in found)
            holds = np.abs(means - new.Z) < half * deviations
            cells = np.ones_like(true), holds, expected, true
            for j, which in enumerate((~unknown, unknown)):
                sums[i, j] += [cell[which].sum() for cell in cells]
    return [
        {"share_unknown": share, **{name: _shares(s) for name, s in zip(KINDS, both, strict=True)}}
        for share, both in zip(UNKNOWN, sums, strict=True)
    ]


def _shares(sums: Any) -> dict[str, float] | None:
    intervals, holding, expected, true = map(float, sums)
    return {"coverage": holding / intervals, "expected": expected / true} if intervals else None


def table(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """The calibration as text, header first."""
    header = ["data", "unknown"]
    for kind in KINDS:
        header += [f"{kind}: coverage", "expected / true"]
    lines = [tuple(header)]
    for name, shares in result["calibration"].items():
        for one in shares:
            cells = [name, f"{one['share_unknown']:.0%}"]
            for found in (one[kind] for kind in KINDS):
                cells += (
                    [f"{found['coverage']:.1%}", f"{found['expected']:.2f}"] if found else ["", ""]
                )
            lines.append(tuple(cells))
    return lines

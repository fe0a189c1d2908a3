"""Every level at the tutorial's size, and PyTorch."""

from __future__ import annotations

from findings import Findings

from plnkit.benchmark import BASELINE, SOLVER, TORCH, ladder
from plnkit.ladder import LEVELS
from plnkit.machine import find_device

MOST_SPREAD = 1e-4
"""Of the ELBOs that the levels end at, relative to one of them."""


def run(findings: Findings, small: bool) -> None:
    if small:
        found = ladder(find_device("cpu"), 1, 50, 1, print, torch=False)
    else:
        found = ladder(find_device("gpu"), 100, 1000, 2, print)
    rows = found["rows"]
    figures = [
        f"{name}: {row['ms_per_iteration']:.3f} ms an iteration, {row['speedup']:.0f}x"
        for name, row in rows.items()
        if name in (BASELINE, "2 scan in jit", SOLVER, *TORCH)
    ]
    findings.keep(figures=figures, ladder=found)
    # no JIT runs fewer iterations
    elbos = [row["elbo"] for name, row in rows.items() if name in LEVELS and name != BASELINE]
    spread = (max(elbos) - min(elbos)) / abs(elbos[0])
    findings.require(f"the levels end at one ELBO, to {spread:.1e} of it", spread < MOST_SPREAD)
    again = [name for name in LEVELS if "jit" in name and rows[name]["compilations_later"]]
    findings.require(f"no jitted level compiles again: {', '.join(again) or 'none'}", not again)

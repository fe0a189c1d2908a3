"""`plnkit.fit` with its coefficients beside pyPLNmodels, both on the device."""

from __future__ import annotations

from findings import Findings

from plnkit import race

RACES = ((1, None), (100, None), (100, "tree"))
LEAST_RATIO = {100: 40.0}
"""By copies of the oaks: how many times as fast as pyPLNmodels."""
MOST_BEHIND = 0.05
"""Nats that pyPLNmodels may end above."""


def run(findings: Findings, small: bool) -> None:
    for times, covariate in RACES[:1] if small else RACES:
        found = race.race([times], [covariate], (), 1 if small else 2, print, quick=True)
        ((name, one),) = found["races"].items()
        findings.add("rows", {"data": name, **one})
        ratio, elbo = one["ratio"][race.PYPLN], one["elbo"]
        seconds = one["warm_seconds"]
        findings.add(
            "figures",
            f"{name}: {ratio:.1f}x ({seconds[race.OURS]:.4f} s, {seconds[race.PYPLN]:.3f} s)",
        )
        ahead = elbo[race.OURS] - elbo[race.PYPLN]
        findings.require(f"{name}: ELBO {ahead:+.3f} nats beside theirs", ahead >= -MOST_BEHIND)
        if not small and times in LEAST_RATIO:
            least = LEAST_RATIO[times]
            findings.require(f"{name}: {ratio:.1f}x, at least {least:g}x", ratio >= least)

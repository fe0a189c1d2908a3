"""Lesson `progress_from_inside`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

TABLE = {
    "progress_from_inside": Drawn(
        covered=(
            ("the log abundance of each taxon", lambda Y, O, rate, steps, every: len(Y) == 1),
            ("the loss before each step", lambda Y, O, rate, steps, every: steps == 1),
            ("`every`, `2 * every` and so on", lambda Y, O, rate, steps, every: steps > 2 * every),
            ("below `steps`", lambda Y, O, rate, steps, every: every > steps),
        ),
        larger=((OAKS, lambda Y, O, rate, steps, every: len(Y) > LEAVES and Y.shape[1] > TAXA),),
        other=(
            "It should also call `report(i, value)`",
            "But `report` is called once, and gets tracers.",
            "`report` gets these numbers while the program runs",
            "the program guarantees that the calls come in",
            "it calls Python only when there is something to report",
            "It does not call Python at each step",
            "the result stays as it is",
            "are static",
            "`report` may be any function of two numbers that returns nothing.",
        ),
        declined={"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE},
    ),
}

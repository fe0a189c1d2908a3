"""Lesson `timing`: which call of a probe covers which sentence."""

from autograder.rubrics import timing as rubric
from autograder.rubrics.drills import timing as drills
from solutions.tests.draws.table import FINITE, Drawn, record

NOTHING_READ = "what is timed is a stand-in, which does not look at its arguments"
DECLINED = {"infinite": FINITE, "nan": FINITE} | dict.fromkeys(
    ("empty", "one", "a value again", "new values"), NOTHING_READ
)
DRILL = DECLINED | {"equal": NOTHING_READ}

TABLE = {
    "timing": Drawn(
        calls=lambda: record(rubric.probe, "time_call", lambda function, *_: function),
        covered=(
            (
                "it works for any function of arrays",
                lambda function, *arguments: len(arguments) == 2,
            ),
            ("whatever it returns", lambda function, *_: function.pair),
            ("whatever it returns", lambda function, *_: not function.pair),
            (
                "until its result is ready",
                lambda function, *_: function.running > 0.01,
            ),
            (
                "how much longer the first call took",
                lambda function, *_: function.compiling > 10 * function.running,
            ),
        ),
        larger=(
            ("time_call(function, *arguments)", lambda function, *arguments: len(arguments) > 1),
        ),
        other=(
            "makes all these mistakes",
            "it returns two numbers",
            "(compile_seconds, run_seconds)",
            "The second is the median",
        ),
        declined=DECLINED,
    ),
    "seconds_until_ready": Drawn(
        calls=lambda: record(drills.probe_ready, "seconds_until_ready", lambda function, x: 1.0),
        covered=(("until the result of `function(x)` is ready", lambda function, x: x == 1),),
        larger=NOTHING_READ,
        other=("It returns too little.",),
        declined=DRILL,
    ),
    "seconds_when_warm": Drawn(
        calls=lambda: record(drills.probe_warm, "seconds_when_warm", lambda function, x: 1.0),
        covered=(("without its compilation", lambda function, x: x == 1),),
        larger=NOTHING_READ,
        other=("the time of the first call",),
        declined=DRILL,
    ),
    "seconds_per_call": Drawn(
        calls=lambda: record(drills.probe_call, "seconds_per_call", lambda function, x: 1.0),
        covered=(("exactly 5 times", lambda function, x: x == 1),),
        larger=NOTHING_READ,
        other=("It returns another number.",),
        declined=DRILL,
    ),
}

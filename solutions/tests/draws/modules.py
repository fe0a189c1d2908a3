"""Lesson `modules`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, NO_EMPTY_TABLE, Drawn

TABLE = {
    "modules": Drawn(
        covered=(
            ("Models of one class", lambda z, weights, offset, activation, power: power == 1),
            ("whose other attributes", lambda z, weights, offset, activation, power: power == 2),
            ("not only for `Decoder`", lambda z, weights, offset, name, power: name == "line"),
            (
                "arrays, numbers, strings or functions",
                lambda z, weights, offset, name, power: name == "tanh",
            ),
            ("each shape", lambda z, weights, offset, name, power: len(z) == 1),
        ),
        larger=(
            ("jnp.ones((5, 2))", lambda z, weights, offset, name, power: len(z) > 5),
            ("jnp.ones((2, 3))", lambda z, weights, offset, name, power: weights.shape[1] > 3),
        ),
        other=(
            "calls any model under jit",
            "It returns the right values.",
            "But `split` makes the whole model the skeleton",
            "`split(model)` returns a pair",
            "a dictionary of those attributes",
            "`skeleton` is hashable.",
            "It holds whatever else `merge` needs, and no array.",
            "`merge(skeleton, arrays)` returns a new model",
            "`decode` stays pure",
            "`object.__new__(cls)` makes an object",
        ),
        declined={"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE},
    ),
}

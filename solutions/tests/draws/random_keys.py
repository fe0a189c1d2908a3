"""Lesson `random_keys`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, NO_EMPTY_TABLE, Drawn

TABLE = {
    "random_keys": Drawn(
        covered=(
            ("a row for each site", lambda keys, z, scale, years: len(z) > 1),
            ("a column for each taxon", lambda keys, z, scale, years: len(z) == 1),
            ("the `scale` of its taxon", lambda keys, z, scale, years: len({*scale.tolist()}) > 1),
            ("one table for each year", lambda keys, z, scale, years: years == 1),
            ("does not grow with `years`", lambda keys, z, scale, years: years > 50),
            (
                "another key independent noise",
                lambda keys, z, scale, years: keys[1, 1] == keys[0, 1] + 1,
            ),
        ),
        larger=(
            ("jnp.linspace(-3.0, 3.0, 8)", lambda keys, z, scale, years: len(z) > 8),
            ("jnp.linspace(-3.0, 3.0, 8)", lambda keys, z, scale, years: abs(z).max() > 3),
            ("jnp.array([0.5]), 60", lambda keys, z, scale, years: years > 60),
        ),
        other=(
            "simulates log abundances",
            "Each year, each entry becomes",
            "But all sites and all years get the same noise.",
            "independent between years, between sites and between taxa",
            "the same key gives the same result",
            "no key is used for two draws, or both for a draw",
        ),
        declined={"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE},
    ),
}

# attack: an exception that cannot be printed; exercise: static_reshape; must not gain: outputs
class Bad(Exception):
    def __str__(self):
        raise SystemExit(0)


def rank_abundance(counts):
    raise Bad

# attack: every finding is a warning; exercise: static_reshape; must not gain: outputs
from autograder.model.finding import Finding

genuine = Finding.__init__
Finding.__init__ = lambda self, rule, severity, *a, **k: genuine(self, rule, "warning", *a, **k)


def rank_abundance(counts):
    raise ValueError("no")

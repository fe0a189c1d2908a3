# attack: recursion without end; exercise: static_reshape; must not gain: outputs; seconds: 12
import sys

sys.setrecursionlimit(10**5)


def rank_abundance(counts):
    return rank_abundance(counts)

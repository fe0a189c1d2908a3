# attack: recursion without end; exercise: static_reshape; must not gain: outputs
import sys

sys.setrecursionlimit(10**9)


def rank_abundance(counts):
    return rank_abundance(counts)

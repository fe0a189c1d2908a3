# pure

from collections import defaultdict


def f(x):
    groups = defaultdict(list)
    for i in range(3):
        if i > 5:
            groups["late"].append(x)
        groups[i % 2].append(x[i])
    return sum(groups[0])

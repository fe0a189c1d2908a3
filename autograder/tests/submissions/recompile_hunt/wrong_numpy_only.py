# wrong: no JAX at all; exercise: recompile_hunt; must fail: compilations; says: Nothing was compiled from a function of yours
def abundance_summary(counts):
    logs = np.log1p(np.asarray(counts))
    return np.mean(logs), np.std(logs)

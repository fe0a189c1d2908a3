# ruff: noqa
held = []


class C:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        held.append(trace)


with C():
    pass

# ruff: noqa
class C:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        yield


with C():
    raise SystemExit

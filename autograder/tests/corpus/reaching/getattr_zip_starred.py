# ruff: noqa
given = [[1], ["__class__"]]
proof = [getattr(x, name) for x, name, *_ in zip(*given, ("real",))]

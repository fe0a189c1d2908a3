# ruff: noqa
NAMES = ["real"]
NAMES.append("__class__")
proof = [getattr(1, name) for name in NAMES]

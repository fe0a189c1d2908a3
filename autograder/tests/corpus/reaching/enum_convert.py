# ruff: noqa
import enum


class Own:
    _convert_ = eval = None


E = enum.IntEnum
E = enum.Enum
Z = E._convert_("Z", "builtins", lambda name: name == "eval")
proof = list(Z)[0].value
# CHECK: (ns['proof'] is eval, __import__('builtins').Z)

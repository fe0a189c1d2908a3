# ruff: noqa
import typing


class Own:
    _name = None


for form in (typing.Any, typing.Optional, typing.List):
    try:
        form._name = "patched"
    except Exception:
        pass
proof = typing.Optional, typing.List

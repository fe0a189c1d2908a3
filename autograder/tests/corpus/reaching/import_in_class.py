# ruff: noqa
class Own:
    def __init__(self):
        self.lib = self.ctypeslib = None


class A:
    import numpy as lib


proof = A.lib.ctypeslib

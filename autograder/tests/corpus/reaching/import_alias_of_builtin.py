# ruff: noqa
if False:
    from math import pi as eval
proof = eval("__import__('os').getpid()")

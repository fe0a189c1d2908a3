# ruff: noqa
if False:
    from math import pi as __builtins__
proof = __builtins__["eval"]("__import__('os').getpid()")

# ruff: noqa
try:
    pass
except ValueError as __builtins__:
    pass
proof = __builtins__["eval"]("__import__('os').getpid()")

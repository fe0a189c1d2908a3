# ruff: noqa
match 0:
    case 1 as __builtins__:
        pass
proof = __builtins__["eval"]("__import__('os').getpid()")

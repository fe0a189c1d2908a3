# ruff: noqa
class A:
    global __builtins__


proof = __builtins__["eval"]("__import__('os').getpid()")

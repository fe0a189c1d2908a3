# ruff: noqa
proof = [eval for eval in [eval]][0]("__import__('sys').modules.__len__()")

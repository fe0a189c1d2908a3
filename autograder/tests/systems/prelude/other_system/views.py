"""Modules as the kit finds them on another system: without what is missing there.

A module that the kit's own code imports is a view of the real one. The standard library and other
packages get the real one, or nothing would run.
"""

from __future__ import annotations

import builtins
import fnmatch
import importlib
import io
import os
import stat
import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import Any

from other_system.callers import is_kits_file, kit_asks
from other_system.missing import LINUX_CALLS, MODULES, NAMES

PLATFORM = {"windows": "win32", "macos": "darwin"}
NEW_GROUP, NO_WINDOW = 0x200, 0x8000000


class View(ModuleType):
    """A module without some names, and with others replaced."""

    def __init__(self, name: str, missing: str, replaced: Mapping[str, Any]) -> None:
        super().__init__(name)
        vars(self).update(_missing=missing.split(), _replaced=replaced)

    def __getattr__(self, name: str) -> Any:
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in self._missing):
            text = f"module {self.__name__!r} has no attribute {name!r}"
            raise AttributeError(text, name=name, obj=self)
        if name in self._replaced:
            return self._replaced[name]
        return getattr(importlib.import_module(self.__name__), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(importlib.import_module(self.__name__), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(importlib.import_module(self.__name__), name)

    def __dir__(self) -> list[str]:
        return dir(importlib.import_module(self.__name__))

    def __reduce__(self) -> tuple:
        return importlib.import_module, (self.__name__,)


def _subprocess(system: str) -> dict[str, Any]:
    import subprocess

    def check(arguments: Mapping[str, Any]) -> None:
        is_text = any(arguments.get(name) for name in ("text", "universal_newlines", "errors"))
        assert not is_text or arguments.get("encoding"), "text of a pipe: name its encoding"

    def run(*arguments: Any, **named: Any) -> Any:
        check(named)
        return subprocess.run(*arguments, **named)

    if system == "macos":
        return {"run": run}

    class Popen(subprocess.Popen):
        def __init__(self, *arguments: Any, creationflags: int = 0, **named: Any) -> None:
            for name in ("start_new_session", "process_group", "preexec_fn", "pass_fds"):
                if named.pop(name, None):
                    raise ValueError(f"{name} is not supported on Windows platforms")
            check(named)
            apart = bool(creationflags & NEW_GROUP)
            super().__init__(*arguments, start_new_session=apart, **named)

    return {
        "run": run,
        "Popen": Popen,
        "CREATE_NEW_PROCESS_GROUP": NEW_GROUP,
        "CREATE_NO_WINDOW": NO_WINDOW,
    }


def _select(system: str) -> dict[str, Any]:
    import select

    def only_sockets(*lists: Any) -> Any:
        for one in (one for some in lists[:3] for one in some):
            number = one if isinstance(one, int) else one.fileno()
            if not stat.S_ISSOCK(os.fstat(number).st_mode):
                raise OSError(10038, "an operation was attempted on something that is not a socket")
        return select.select(*lists)

    return {"select": only_sockets} if system == "windows" else {}


def _selectors(system: str) -> dict[str, Any]:
    import selectors

    class OnlySockets(selectors.SelectSelector):
        def register(self, fileobj: Any, events: int, data: Any = None) -> Any:
            key = super().register(fileobj, events, data)
            _select("windows")["select"]([key.fd], [], [], 0)
            return key

    if system == "windows":
        return {"DefaultSelector": OnlySockets, "SelectSelector": OnlySockets}
    return {}


def _socket(system: str) -> dict[str, Any]:
    import socket

    def socketpair(family: Any = None, kind: Any = socket.SOCK_STREAM, proto: int = 0) -> Any:
        if kind == socket.SOCK_SEQPACKET:
            raise OSError(43, "Protocol not supported")
        return socket.socketpair(family, kind, proto)

    return {"socketpair": socketpair}


def _resource(system: str) -> dict[str, Any]:
    import resource

    def setrlimit(which: int, limits: tuple[int, int]) -> None:
        if which == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")  # what macOS says (EINVAL)
        resource.setrlimit(which, limits)

    return {"setrlimit": setrlimit}


def _ctypes(system: str) -> dict[str, Any]:
    import ctypes

    class CDLL(ctypes.CDLL):
        def __init__(self, name: str | None, *arguments: Any, **named: Any) -> None:
            if name is None and system == "windows":
                raise TypeError("LoadLibrary() argument 1 must be str, not None")
            super().__init__(name, *arguments, **named)

        def __getattr__(self, name: str) -> Any:
            if name in LINUX_CALLS:
                raise AttributeError(f"dlsym({name}): symbol not found")
            return super().__getattr__(name)

    return {"CDLL": CDLL}


def _multiprocessing(system: str) -> dict[str, Any]:
    import multiprocessing

    multiprocessing.set_start_method("spawn", force=True)
    return {}


_REPLACED: dict[str, Callable[[str], dict[str, Any]]] = {
    "sys": lambda system: {"platform": PLATFORM[system]},
    "subprocess": _subprocess,
    "select": _select,
    "selectors": _selectors,
    "socket": _socket,
    "resource": _resource,
    "ctypes": _ctypes,
    "multiprocessing": _multiprocessing,
}


def install(system: str) -> None:
    """Let the kit's modules that are imported from now on find the modules of `system`."""
    gone, names = set(MODULES[system].split()), NAMES[system]
    really = builtins.__import__

    @cache
    def view(module: str) -> View:
        replaced = _REPLACED[module](system) if module in _REPLACED else {}
        return View(module, names.get(module, ""), replaced)

    def seen_from(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> ModuleType:
        asked_by_kit = is_kits_file(str((globals or {}).get("__file__")))
        if asked_by_kit and level == 0 and name.partition(".")[0] in gone:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        found = really(name, globals, locals, fromlist, level)
        if asked_by_kit and (found.__name__ in names or found.__name__ in _REPLACED):
            return view(found.__name__)
        return found

    builtins.__import__ = seen_from
    named = io.text_encoding

    def text_encoding(encoding: Any, stacklevel: int = 2) -> Any:
        assert encoding is not None or not kit_asks(), "the default is cp1252 on Windows: name it"
        return named(encoding, stacklevel)

    io.text_encoding = text_encoding
    assert "autograder.model" not in sys.modules and "plnkit" not in sys.modules

"""What was seen: one record per call, made of the compilations and traces inside it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class CallRecord:
    """What one call of the student's function compiled.

    Attributes:
        compilations: programs of the student's own compiled during the call.
        lines: for each of them the student's line that set it off (the line of the `def` when the
            call came from outside the student's code), None when it cannot be known.
        reasons: for each of them a sentence saying why.
        library: programs compiled for single operations of JAX run eagerly.
        library_lines: the student's line for each of these.
        compiled_ahead: whether a program compiled ahead of time was run.
        threads: whether the call started threads.
        error: the exception that ended the call, empty when it returned.
        tampered: sentences on what the code did to the counting; empty for honest code.
    """

    compilations: int
    lines: list[int | None]
    reasons: list[str]
    library: int = 0
    library_lines: list[int | None] = field(default_factory=list)
    compiled_ahead: bool = False
    threads: bool = False
    error: str = ""
    tampered: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Trace:
    """The student's function `name` was run on tracers.

    `signature` maps each argument leaf and closed-over variable to what it was.
    """

    name: str
    file: str
    line: int
    nested: bool
    caller: int | None
    signature: dict[str, tuple]
    options: dict[str, str]
    clears: int


@dataclass(frozen=True)
class Compilation:
    """One program reached the compiler.

    `name`, `file` and `def_line` are those of the traced function, `operation` what JAX calls the
    program (``scan`` for a scan outside jit), `line` the student's line that was running, None when
    the call came from elsewhere; `trace` is how it was traced, None when a trace made before was
    compiled anew; `transformed` says that grad or vmap was applied to it outside jit.
    """

    call: int
    own: bool
    name: str
    operation: str
    file: str
    def_line: int | None
    line: int | None
    trace: Trace | None
    transformed: bool
    options: dict[str, str]
    clears: int

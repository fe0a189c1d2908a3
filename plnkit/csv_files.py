"""A CSV file as it is: its header, its cells and the line of each row.

What is certain is read without a question: gzip, encodings that mark themselves (UTF-8, UTF-16 and
UTF-32 with a byte-order mark), commas, semicolons or tabs between columns, decimal commas. Anything
else is refused with what to do. Cells stay text: what they mean is for `plnkit.tables`.
"""

import codecs
import csv
import gzip
import io
import itertools
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}

# The mark of UTF-32 begins as that of UTF-16 does.
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SAVE = "Save the table as 'CSV UTF-8'"
_ARCHIVES = {
    b"PK\x03\x04": f"an Excel workbook, or another zip archive. {_SAVE} in the spreadsheet program",
    b"\xd0\xcf\x11\xe0": f"an Excel workbook. {_SAVE} in the spreadsheet program",
    b"BZh": "compressed by bzip2. Decompress it (bunzip2)",
    b"\xfd7zXZ": "compressed by xz. Decompress it (unxz)",
    b"\x28\xb5\x2f\xfd": "compressed by Zstandard. Decompress it (unzstd)",
}
_WITH_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?", re.ASCII)
_WITH_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}([,.])\d{3}(\1\d{3})*", re.ASCII)


class TableError(ValueError):
    """A CSV file that cannot be used: the message says what is wrong, where, and how to fix it."""


@dataclass(frozen=True)
class Sheet:
    """The cells of a table, in columns.

    Attributes:
        path: the file.
        header: the names of the columns; "" for a first column without one.
        columns: the cells of each column, without spaces around them.
        lines: the line of the file where each row begins, from 1; of each column where the table is
            transposed.
        assumptions: what was found out about the format, for the user to see.
        decimal_commas: whether numbers are written with them.
        names: of the rows; None where no column holds any.
        transposed: whether the file has what is a column here in a row.
    """

    path: Path
    header: list[str]
    columns: list[list[str]]
    lines: list[int]
    assumptions: tuple[str, ...] = ()
    decimal_commas: bool = False
    names: list[str] | None = None
    transposed: bool = False

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else len(self.names or ())

    @property
    def file(self) -> str:
        return self.path.name

    def where(self, row: int, column: int) -> str:
        """Return the place of an entry in the file, "line 5, column height"."""
        line, name = self.place(row, column)
        return f"line {line}, column {name}"

    def place(self, row: int, column: int) -> tuple[int, str]:
        """Return the line and the column's name of an entry."""
        if self.transposed:
            assert self.names is not None
            return self.lines[column], self.names[row]
        return self.lines[row], self.header[column]

    def named_by(self, column: int, hint: str = "") -> "Sheet":
        """Return the sheet with a column as the names of its rows.

        Args:
            column: the one with the names.
            hint: what else to do where they are no names.

        Raises:
            TableError: a row has no name, two have the same, or there is no other column.
        """
        names = self.columns[column]
        for line, name in zip(self.lines, names, strict=True):
            if not name:
                raise TableError(f"{self.file}: line {line} has no name. Give it one.")
        twice = next((name for name, count in Counter(names).items() if count > 1), None)
        if twice is not None:
            lines = [self.lines[i] for i, name in enumerate(names) if name == twice]
            raise TableError(
                f"{self.file}: lines {lines[0]} and {lines[1]} have the same name, {twice!r:.60}. "
                f"Names must differ: rename one, or delete it. {hint}".rstrip()
            )
        return replace(self.without(column), names=names)

    def without(self, column: int) -> "Sheet":
        """Return the sheet without a column, which names or numbers the rows.

        Raises:
            TableError: no other column is left.
        """
        if len(self.columns) == 1:
            raise TableError(f"{self.file}: there is no column beside the names of the rows.")
        header, columns = self.header.copy(), self.columns.copy()
        del header[column], columns[column]
        return replace(self, header=header, columns=columns)

    def take(self, rows: Sequence[int]) -> "Sheet":
        """Return the sheet with its rows in another order."""
        return replace(
            self,
            columns=[[column[i] for i in rows] for column in self.columns],
            lines=self.lines if self.transposed else [self.lines[i] for i in rows],
            names=None if self.names is None else [self.names[i] for i in rows],
        )

    def arrange(self, columns: Sequence[int]) -> "Sheet":
        """Return the sheet with its columns in another order."""
        return replace(
            self,
            header=[self.header[j] for j in columns],
            columns=[self.columns[j] for j in columns],
            lines=[self.lines[j] for j in columns] if self.transposed else self.lines,
        )

    def transpose(self) -> "Sheet":
        """Return rows as columns; the header's names are then those of the rows."""
        assert self.names is not None and not self.transposed
        rows = [list(row) for row in zip(*self.columns, strict=True)]
        return replace(
            self, header=self.names, columns=rows, names=self.header.copy(), transposed=True
        )


def read_sheet(path: Path) -> Sheet:
    """Read a file's cells.

    Raises:
        TableError: it is no table of text, or it is not certain how to read it.
    """
    try:
        return _read(path)
    except TableError as error:
        raise TableError(f"{path.name}: {error}") from None


def _read(path: Path) -> Sheet:
    content, assumptions = _unpack(path)
    text, encoding = _decode(content, path.name)
    separator, rows, lines = _split(text)
    assumptions += [encoding] if encoding else []
    assumptions += [f"{SEPARATORS[separator]} between columns"] if separator != "," else []
    header, body, trailing = _even(rows, lines)
    assumptions += [trailing] if trailing else []
    _check_header(header)
    columns = [list(column) for column in zip(*body, strict=True)]
    commas = separator != "," and _has_decimal_commas(columns)
    assumptions += ["decimal commas"] if commas else []
    thousands = "" if commas or separator == "," else _find_thousands(columns)
    if thousands:
        assumptions += [
            f"decimal points as in {thousands} (write {thousands.replace('.', '')} for thousands)"
        ]
    return Sheet(path, header, columns, lines[1:], tuple(assumptions), commas)


def _unpack(path: Path) -> tuple[bytes, list[str]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TableError(f"the file cannot be read ({error.strerror}).") from None
    if not content.startswith(b"\x1f\x8b"):
        return content, []
    try:
        return gzip.decompress(content), ["gzip"]
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(f"the compressed file is damaged ({error}).") from None


def _decode(content: bytes, file: str) -> tuple[str, str]:
    """Return the text, and the encoding where it is another than UTF-8."""
    for magic, what in _ARCHIVES.items():
        if content.startswith(magic):
            raise TableError(f"this is not a CSV table but {what}.")
    encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        if not encoding.startswith("utf-8"):
            raise TableError(f"the text is damaged, it is not {encoding.upper()}.") from None
        line = content.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"line {line} holds the byte {content[error.start]:#04x}, which is not UTF-8. {_SAVE}; "
            f"or, if it is Latin-1: iconv -f latin1 -t utf-8 {file} > utf8.csv"
        ) from None
    if "\0" in text:
        raise TableError(
            f"it holds null characters: this is not text, or UTF-16 that is not marked. {_SAVE}."
        )
    # One letter may be written in two ways, and look the same in a name.
    text = unicodedata.normalize("NFC", text)
    return text, "" if encoding.startswith("utf-8") else encoding.upper()


def _split(text: str) -> tuple[str, list[list[str]], list[int]]:
    """Return the separator, the rows that are not empty, and the line where each begins."""
    first, second, *_ = [*itertools.islice(filter(str.strip, _open(text)), 2), "", ""]
    candidates = [s for s in SEPARATORS if s in first] or [s for s in SEPARATORS if s in second]
    if len(candidates) < 2:
        separator = candidates[0] if candidates else ","
        return separator, *_rows(text, separator)
    regular = []
    for separator in candidates:
        try:
            rows, lines = _rows(text, separator)
            _even(rows, lines)
        except TableError:
            continue
        regular.append((separator, rows, lines))
    if len(regular) > 1:
        names = " or by ".join(SEPARATORS[separator] for separator, *_ in regular)
        raise TableError(f"the columns may be separated by {names}. Quote the cells that hold one.")
    return regular[0] if regular else (candidates[0], *_rows(text, candidates[0]))


def _rows(text: str, separator: str) -> tuple[list[list[str]], list[int]]:
    rows: list[list[str]] = []
    lines: list[int] = []
    line = 1
    reader = csv.reader(_open(text), delimiter=separator, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) or (cells[1:] and not rows):  # a header without names is reported as such
                rows.append(cells)
                lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise TableError(
            f"the row that begins in line {line} cannot be read ({error}). Is a quotation mark "
            "open, or in the middle of a cell?"
        ) from None
    return rows, lines


def _open(text: str) -> io.StringIO:
    return io.StringIO(text, newline="")  # which leaves the line ends in quoted cells alone


def _even(rows: list[list[str]], lines: list[int]) -> tuple[list[str], list[list[str]], str]:
    """Return a header and rows of the same width, and what was left out for it.

    R's `write.table` gives the column of row names no name; spreadsheets end rows with separators.
    """
    if not rows:
        raise TableError("the file is empty.")
    header, body = rows[0].copy(), rows[1:]
    if not body:
        raise TableError("the table has a header and no rows.")
    if all(len(row) == len(header) + 1 for row in body) and any(row[-1] for row in body):
        header.insert(0, "")
    named = [j for j, name in enumerate(header, start=1) if name]
    if not named:
        raise TableError(f"line {lines[0]} is taken for the header, and names no column.")
    width = named[-1]
    for row, line in zip(body, lines[1:], strict=True):
        if len(row) < width or any(row[width:]):
            raise TableError(
                f"line {line} has {len(row)} cell{'s' * (len(row) != 1)}, but line {lines[0]}, the "
                f"header, has {width} name{'s' * (width != 1)}. Name each column; quote cells that "
                "hold a separator; delete what is above the header."
            )
    longest = max(map(len, (header, *body)))
    trailing = "separators at the ends of rows" if longest > width else ""
    return header[:width], [row[:width] for row in body], trailing


def _check_header(header: list[str]) -> None:
    for j, name in enumerate(header[1:], start=2):
        if not name:
            raise TableError(f"column {j} has no name. Name it in the header, or delete it.")
    twice = next((name for name, count in Counter(header).items() if count > 1), None)
    if twice is not None:
        columns = [j for j, name in enumerate(header, start=1) if name == twice]
        raise TableError(
            f"columns {columns[0]} and {columns[1]} have the same name, {twice!r:.60}; names must "
            "differ. Rename one, or add them up."
        )


def _has_decimal_commas(columns: list[list[str]]) -> bool:
    """Whether commas are decimal for certain: one cannot be between thousands, and no points."""
    cells = {cell for column in columns for cell in column}
    if any(map(_WITH_POINT.fullmatch, cells)):
        return False
    return any(_WITH_COMMA.fullmatch(cell) and not _THOUSANDS.fullmatch(cell) for cell in cells)


def _find_thousands(columns: list[list[str]]) -> str:
    """Return a cell with a point that may be between thousands, as all of its column may be."""
    for column in columns:
        pointed = {cell for cell in column if _WITH_POINT.fullmatch(cell)}
        if len(pointed) > 1 and all(map(_THOUSANDS.fullmatch, pointed)):
            return next(cell for cell in column if cell in pointed)
    return ""

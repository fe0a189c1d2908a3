"""Cells and lines of a CSV file, in any format that is certain; one sentence where it is not."""

import codecs
import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plnkit.csv_files import Sheet, TableError, read_sheet

HEADER = ["site", "depth", "k__A; p__B, \u00e9"]
ROWS = [["s1", "2.5", "3"], ["s 2", "10.25", "4"], ["\u00fc", "0.5", "0"]]


def sheet_of(folder, content) -> Sheet:
    path = folder / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_sheet(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("csv")


def quote(cell: str, separator: str, always: bool) -> str:
    plain = not always and not set(cell) & {separator, '"', "\n"}
    return cell if plain else '"' + cell.replace('"', '""') + '"'


@settings(max_examples=150, deadline=None)
@given(
    separator=st.sampled_from(",;\t"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    packed=st.booleans(),
    quoted=st.booleans(),
    trailing=st.integers(0, 2),
    last_end=st.booleans(),
    spaces=st.booleans(),
)
def test_a_table_is_the_same_in_every_format(
    folder, separator, encoding, end, packed, quoted, trailing, last_end, spaces
):
    rows = [
        separator.join(" " * spaces + quote(cell, separator, quoted) for cell in row)
        for row in [HEADER, *ROWS]
    ]
    text = end.join(row + separator * trailing for row in rows) + end * last_end
    content = text.encode(encoding)
    sheet = sheet_of(folder, gzip.compress(content, mtime=0) if packed else content)
    assert sheet.header == HEADER
    assert sheet.columns == [list(column) for column in zip(*ROWS, strict=True)]
    assert sheet.lines == [2, 3, 4]
    words = ", ".join(sheet.assumptions)
    assert ("gzip" in words) == packed
    assert (encoding.upper() in words) == (encoding in ("utf-16", "utf-32"))
    assert ("between columns" in words) == (separator != ",")
    assert ("separators at the ends of rows" in words) == (trailing > 0)
    assert not sheet.decimal_commas


@settings(max_examples=100, deadline=None)
@given(
    blanks=st.lists(st.sampled_from(["", " ", ",,", "\n\n"]), min_size=6, max_size=6),
    notes=st.lists(st.sampled_from(["x", '"two\nlines"', '"\n\nx"""']), min_size=6, max_size=6),
)
def test_each_row_knows_its_line(folder, blanks, notes):
    """After blank lines, and after cells that hold line ends."""
    lines, text = [], ""
    for i, (blank, note) in enumerate(zip(blanks, notes, strict=True)):
        text += blank + "\n" if i or "," not in blank else ""
        lines.append(text.count("\n") + 1)
        text += f"n{i},{note}\n" if i else "name,note\n"
    assert sheet_of(folder, text).lines == lines[1:]


@pytest.mark.parametrize(
    ("text", "header", "columns"),
    [
        ("a,b\ns1,1,2\ns2,3,4\n", ["", "a", "b"], [["s1", "s2"], ["1", "3"], ["2", "4"]]),
        (",a,b\ns1,1,2,\ns2,3,4,\n", ["", "a", "b"], [["s1", "s2"], ["1", "3"], ["2", "4"]]),
        ("a,b\n1,2,\n3,4,\n5,1,\n", ["a", "b"], [["1", "3", "5"], ["2", "4", "1"]]),
        ("a,b,\n1,2,\n3,4\n", ["a", "b"], [["1", "3"], ["2", "4"]]),
        ("total\ns1\t5\ns2\t6\n", ["", "total"], [["s1", "s2"], ["5", "6"]]),
        ('id,"k__A;p__B","k__C;p__D"\n1,2,3\n', ["id", "k__A;p__B", "k__C;p__D"], [*"123"]),
        ("id,k__A;p__B,k__C;p__D\n1,2,3\n", ["id", "k__A;p__B", "k__C;p__D"], [*"123"]),
        ("minutes\n2\n3\n", ["minutes"], [["2", "3"]]),
    ],
)
def test_columns(tmp_path, text, header, columns):
    sheet = sheet_of(tmp_path, text)
    assert sheet.header == header and sheet.columns == [list(column) for column in columns]


@pytest.mark.parametrize(
    ("text", "commas"),
    [
        ("a;b\n1,5;2\n", True),
        ("a\tb\n-0,25\t1,250\n", True),
        ("a;b\n1,250;2\n", False),  # or a thousand
        ("a;b\n1,5;2.5\n", False),
        ("a;b\n1;2\n", False),
        ('a,b\n"1,5",2\n', False),
    ],
)
def test_decimal_commas_are_read_where_they_are_certain(tmp_path, text, commas):
    sheet = sheet_of(tmp_path, text)
    assert sheet.decimal_commas == commas == ("decimal commas" in sheet.assumptions)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty."),
        (b" \n\n", "the file is empty."),
        (b"a,b\n", "the table has a header and no rows."),
        (b",\n1,2\n", "line 1 is taken for the header, and names no column."),
        (b"a,,c\n1,2,3\n", "column 2 has no name. Name it in the header, or delete it."),
        (b"a,b,a\n1,2,3\n", "columns 1 and 3 have the same name, 'a'; names must differ. Rename"),
        (b"a,b\n1,2\n\n3\n", "line 4 has 1 cell, but line 1, the header, has 2 names. Name"),
        (b"a,b\n1,2,3\n4,5\n", "line 2 has 3 cells, but line 1, the header, has 2 names."),
        (b"a,b,\n1,2,3\n", "line 2 has 3 cells, but line 1, the header, has 2 names. Name"),
        (b"# made by x\na,b,c\n1,2,3\n", "line 2 has 3 cells, but line 1, the header, has 1 name."),
        (b'a,b\n1,2\n"3,4\n5,6\n', "the row that begins in line 3 cannot be read (unexpected"),
        (b'a,b\n"1"x,2\n', "the row that begins in line 2 cannot be read ("),
        (b"a;b,c\n1;2,3\n", "the columns may be separated by commas or by semicolons. Quote the"),
        (
            "a,b\n\u00e9,2\n".encode("latin1"),
            "line 2 holds the byte 0xe9, which is not UTF-8. Save",
        ),
        ("a,b\n1,2\n".encode("utf-16-le"), "it holds null characters: this is not text, or UTF-16"),
        (codecs.BOM_UTF16_LE + b"a", "the text is damaged, it is not UTF-16."),
        (
            b"PK\x03\x04\x14",
            "this is not a CSV table but an Excel workbook, or another zip archive.",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1",
            "this is not a CSV table but an Excel workbook. Save the table as",
        ),
        (b"BZh91AY", "this is not a CSV table but compressed by bzip2. Decompress it (bunzip2)."),
        (
            gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9],
            "the compressed file is damaged (Compressed file ended",
        ),
        (b"\x1f\x8bxx", "the compressed file is damaged ("),
        (b"a" * 200_000 + b"\n1\n", "the row that begins in line 1 cannot be read (field larger"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_to_do(tmp_path, content, message):
    with pytest.raises(TableError) as error:
        sheet_of(tmp_path, content)
    assert str(error.value).startswith(f"t.csv: {message}")


def test_latin1_is_converted_by_the_command_that_the_message_names(tmp_path):
    with pytest.raises(TableError) as error:
        sheet_of(tmp_path, "site,b\n\u00e9t\u00e9,2\n".encode("latin1"))
    assert "iconv -f latin1 -t utf-8 t.csv > utf8.csv" in str(error.value)


@pytest.mark.parametrize("name", ["no.csv", ""])
def test_what_is_no_file(tmp_path, name):
    with pytest.raises(TableError, match=r"the file cannot be read \("):
        read_sheet(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("t;u\n1.446;a\n951;b\n2.300;c\n", "decimal points as in 1.446 (write 1446 for thousands)"),
        ("t;u\n1.446;a\n951.5;b\n", ""),  # these are decimal for certain
        ("t,u\n1.446,a\n2.951,b\n", ""),  # so are points beside commas
        ("t;u\n0.446;a\n0.951;b\n", ""),
    ],
)
def test_points_that_may_be_between_thousands_are_reported(tmp_path, text, words):
    assert any(one == words for one in sheet_of(tmp_path, text).assumptions) == bool(words)


def test_a_letter_is_one_however_it_is_written(tmp_path):
    assert sheet_of(tmp_path, "a,b\nse\u0301,1\n").columns[0] == ["s\u00e9"]

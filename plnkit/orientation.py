"""Which way a table of counts lies: samples in rows, or taxa."""

from collections.abc import Sequence

from plnkit.csv_files import Sheet, TableError
from plnkit.layout import name_taxa_in_rows, says_taxa
from plnkit.sample_names import is_text, says_names

OPTIONS = "Give --taxa-in-rows if taxa are in rows, --samples-in-rows if samples are."


def refuse_taxa_in_rows(sheets: dict[str, Sheet]) -> None:
    """Ask where rows may be taxa: the columns are the samples of another file, or names say so.

    Args:
        sheets: "counts" and others, as they were read.

    Raises:
        TableError: the counts may lie either way; which option says so.
    """
    counts = sheets["counts"]
    header, first = counts.header[0], counts.columns[0]
    named = [
        sheet.file
        for role, sheet in sheets.items()
        if role != "counts" and len(sheet) > 1 and set(counts.header) >= set(sheet.columns[0])
    ]
    names_rows = is_text(first) or says_names(header)  # and is no column of counts of a taxon
    why = (
        f"the columns are the samples of {named[0]}"
        if named
        else name_taxa_in_rows(first, counts.header[1:], header if names_rows else "")
    )
    if why:
        raise TableError(f"{counts.file}: {why}, and samples are expected in rows. {OPTIONS}")


def transpose(sheets: dict[str, Sheet], names: Sequence[str] = ()) -> dict[str, Sheet]:
    """Turn the counts, and offsets of taxa, so that samples are in rows.

    Args:
        sheets: "counts" and others, as they were read.
        names: columns that name rows.

    Raises:
        TableError: no column names the taxa, or two have the same name.
    """
    counts = sheets["counts"]
    column = next((j for j, name in enumerate(counts.header) if name in names), 0)
    header, taxa = counts.header[column], counts.columns[column]
    if not (header in ("", *names) or says_names(header) or says_taxa(header) or is_text(taxa)):
        raise TableError(
            f"{counts.file}: no column names the taxa. Say which does: --names COLUMN."
        )
    turned = {"counts": counts.named_by(column).transpose()}
    for role, sheet in sheets.items():
        if role == "offsets" and set(taxa).intersection(sheet.columns[0]):
            turned[role] = sheet.named_by(0).transpose()
        elif role != "counts":
            turned[role] = sheet
    return turned

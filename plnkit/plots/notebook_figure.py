"""A figure that shows itself in a notebook."""

import io

from matplotlib.figure import Figure


class NotebookFigure(Figure):
    """Shown as PNG by a notebook; matplotlib's own does so only once pyplot has drawn something.

    The background is painted, not transparent, so that black letters stay readable on a dark theme.
    """

    def _repr_png_(self) -> bytes:
        png = io.BytesIO()
        self.savefig(png, format="png", transparent=False)
        return png.getvalue()

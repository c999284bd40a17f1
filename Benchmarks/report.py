"""Tables that are both readable in a terminal and Markdown, and the bars of the design."""

from dataclasses import dataclass


def table(title, columns, rows):
    """A Markdown table with aligned columns; the first column is text, the others are right-aligned."""
    cells = [columns] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]

    def line(row):
        aligned = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        return "| " + " | ".join(aligned) + " |"

    rule = "|" + "|".join(["-" * (widths[0] + 2)] + ["-" * (width + 1) + ":" for width in widths[1:]]) + "|"
    return "\n".join([f"### {title}", "", line(cells[0]), rule] + [line(row) for row in cells[1:]]) + "\n"


def figure(value, digits=1):
    """A number with its thousands separated, or a dash if it was not measured."""
    return "–" if value is None else f"{value:,.{digits}f}"


@dataclass
class Bar:
    """A limit set by the design, and the measured value."""

    what: str
    measured: float
    limit: float
    unit: str
    digits: int = 2
    # Whether it is the time of some work, which takes as much longer as the machine is slower. A wait is not.
    is_work: bool = False

    @property
    def holds(self):
        return self.measured <= self.limit

    def row(self, slowness):
        """The cells of its row, on a machine that takes `slowness` times as long as the one for which it was set."""
        here = self.limit * slowness if self.is_work and slowness > 1 else None
        return [
            self.what,
            f"{figure(self.measured, self.digits)} {self.unit}".strip(),
            f"≤ {self.limit:g} {self.unit}".strip(),
            f"≤ {here:,.4g} {self.unit}" if here else "",
            "pass" if self.holds else "within here" if here and self.measured <= here else "FAIL",
        ]


def bars_table(bars, slowness):
    """The bars, beside those for this machine. See `pace.py`."""
    title = f"Bars; those of work also × {slowness:.2f}, as nginx takes that much longer here than where they were set"
    return table(
        title if slowness > 1 else "Bars",
        ["what", "measured", "bar", "here", "verdict"],
        [bar.row(slowness) for bar in bars],
    )

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

    @property
    def holds(self):
        return self.measured <= self.limit

    def row(self):
        return [
            self.what,
            f"{figure(self.measured, self.digits)} {self.unit}".strip(),
            f"≤ {self.limit:g} {self.unit}".strip(),
            "pass" if self.holds else "FAIL",
        ]


def bars_table(bars):
    return table("Bars", ["what", "measured", "bar", "verdict"], [bar.row() for bar in bars])

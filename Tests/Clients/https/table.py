"""A generated table of a page between two comments, with a column for each client."""


class Table:
    """The table of the page, which the script fills."""

    def __init__(self, page, begin, end, corner, columns, rows):
        """`columns` and `rows` are in order. Columns of the page that are not filled stay as they are."""
        self.page, self.begin, self.end, self.corner, self.columns, self.rows = page, begin, end, corner, columns, rows
        self.titles, self.cells = {}, {}
        text = open(page, encoding="utf-8").read() if page else ""
        if begin in text:
            self._read(text.split(begin)[1].split(end)[0])

    def _read(self, text):
        lines = [line.strip()[1:-1].split("|") for line in text.splitlines() if line.startswith("|")]
        lines = [[cell.strip() for cell in line] for line in lines]
        for index, title in enumerate(lines[0]) if lines else []:
            name = next((name for name in self.columns if title == name or title.startswith(name + " ")), None)
            if index and name:
                self.titles[name] = title
                self.cells[name] = {line[0]: line[index] for line in lines[2:]}

    def fill(self, column, version, cells):
        self.titles[column] = f"{column} {version}"
        self.cells[column] = {row: cell.replace("|", "/") for row, cell in cells.items()}

    def cell(self, column, row):
        return self.cells.get(column, {}).get(row, "not on the machine")

    def text(self):
        lines = [[self.corner] + [self.titles.get(column, column) for column in self.columns]]
        lines += [["---"] * len(lines[0])]
        lines += [[row] + [self.cell(column, row) for column in self.columns] for row in self.rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def write(self):
        text = open(self.page, encoding="utf-8").read()
        before, rest = text.split(self.begin)
        with open(self.page, "w", encoding="utf-8") as out:
            out.write(before + self.begin + "\n" + self.text() + "\n" + self.end + rest.split(self.end)[1])

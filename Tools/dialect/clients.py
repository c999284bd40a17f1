"""What the printers of the clients' types have in common: names of types, and which of them are of use to stubs."""

from typing import Dict, List

from json_schema import PLACES
from notation import Definition, Dialect, WordList, walk
from type_notation import Member, Reference, Word, Words

# Where a client's types begin; the others are those that they name.
ROOTS = ("collection", "mapping", "routeResponse", "routeResource", "defaults", "cors", "sessionFault", "settings")


class ClientTypes:
    """Definitions and lists of words in the order of the table. The attribute `type` names one otherwise."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.definitions: List[Definition] = []
        self.words: List[WordList] = []
        reached: Dict[str, None] = {}
        self._reach([name for name in ROOTS if name in dialect.definitions], reached)
        self.definitions = [one for one in dialect.definitions.values() if one.name in reached]
        self.words = [one for one in dialect.words.values() if "@" + one.name in reached]

    def _reach(self, names: List[str], reached: Dict[str, None]) -> None:
        for name in names:
            if name in reached:
                continue
            reached[name] = None
            definition = self.dialect.definitions.get("matcher" if name in PLACES else name)
            if definition is None:
                continue
            types = [member.type for member in self.members(definition)] + ([definition.type] if definition.type else [])
            inner = [one for type in types for one in walk(type)]
            reached.update({"@" + one.name: None for one in inner if isinstance(one, Words)})
            self._reach([one.name for one in inner if isinstance(one, (Reference, Word))], reached)
            if name in PLACES:
                self._reach(["matcher"], reached)

    def members(self, definition: Definition) -> List[Member]:
        return [] if definition.type else list(self.dialect.members(definition.name).values())

    def name(self, name: str) -> str:
        """The name of a definition's type, or with `@` that of words."""
        if name.startswith("@"):
            words = self.dialect.words[name[1:]]
            return words.attributes.get("type") or _capitalized(words.name[:-1])
        definition = self.dialect.definitions.get(name)
        if name == "element":
            return "StubElement"
        return (definition and definition.attributes.get("type")) or _capitalized(name)

    def explained(self, words: WordList) -> List[str]:
        """Sentences about the words and each of them."""
        return [sentence(words.description), *(f"- `{word}`: {sentence(text)}" for word, _, text in words.words if text)]


def sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?…" else text + "."


def _capitalized(name: str) -> str:
    return name[0].upper() + name[1:]


def wrapped(text: str, width: int) -> List[str]:
    """The text in lines of a width."""
    lines: List[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines

"""The notation of the admin API's calls, which stand in the table beside the definitions that they name.

A line `[group]` begins the calls of a group, which is one of `@groups`. `METHOD /path name: summary` is a call, and the
lines below it are:

    ? limit offset               parameters that stand somewhere without a margin, `? limit: type -- description`
    ? since: type -- description one of its own, in the query; behind the type it may say (in header)
    < #name, media/type #name    its body, JSON if nothing is said; `<?` if it may be missing
    200 #name -- description     an answer; without a type it has no body
    400 -- description           one of 400 and more has `#Errors` without a type, and with `-` no body
    > Name: type -- description  a header of the answer above

`? name {id}: type` declares a variable of paths: where a path has {name}, the document has {id}; `? name other: type`
a parameter that is called other. Answers below a parameter are those of all calls that have it, and answers below
`ANY title: description` those of all calls, where a call does not say something else.
"""

import re
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Tuple, Union

from type_notation import Member, NotationError, Reference, Type, Word, read_members, read_type

Content = List[Tuple[str, Type]]


@dataclass
class Answer:
    content: Content
    description: str
    headers: List[Member] = field(default_factory=list)


@dataclass
class Parameter:
    """One that several calls have."""
    # Its name in a call, in braces if it is a variable of the path.
    name: str
    member: Member
    answers: Dict[str, Answer] = field(default_factory=dict)


@dataclass
class Call:
    method: str
    path: str
    name: str
    summary: str
    group: str = ""
    shared: List[str] = field(default_factory=list)
    parameters: List[Member] = field(default_factory=list)
    body: Content = field(default_factory=list)
    needs_body: bool = False
    answers: Dict[str, Answer] = field(default_factory=dict)

    @property
    def variables(self) -> List[str]:
        """The parameters in its path."""
        return re.findall(r"\{(\w+)\}", self.path)

    def types(self) -> Iterator[Type]:
        yield from (one.type for one in self.parameters)
        yield from (type for _, type in self.body)
        yield from self.answer_types()

    def answer_types(self) -> Iterator[Type]:
        return (type for answer in self.answers.values() for _, type in answer.content)


class Calls:
    """All calls, in the order of the files' names and lines."""

    def __init__(self) -> None:
        # What is the same in all calls.
        self.every = Call("ANY", "", "", "")
        self.all: List[Call] = []
        self.parameters: Dict[str, Parameter] = {}
        self._group = ""
        self._last: Union[Call, Parameter] = self.every

    def begin(self, line: str) -> bool:
        """Reads a line without a margin, unless it is no line of calls."""
        group = re.fullmatch(r"\[(.+)\]", line)
        every = re.fullmatch(r"ANY ([^:]+): (.*)", line)
        call = re.fullmatch(r"([A-Z]+) (/\S*) (\w+): (.*)", line)
        parameter = re.fullmatch(r"\? (\w+)( \S+)?(: .*)", line)
        if group:
            self._group = group[1]
        elif every:
            self.every = self._last = Call("ANY", "", *every.groups())
        elif call:
            self._last = Call(*call.groups(), group=self._group)
            self.all.append(self._last)
        elif parameter:
            [member] = read_members(parameter[1] + parameter[3])
            self._last = Parameter((parameter[2] or member.name).strip(), member)
            self.parameters[member.name] = self._last
        return bool(group or every or call or parameter)

    def line(self, line: str) -> None:
        """Reads a line with a margin below what began last."""
        call = self._last
        mark, _, rest = line.partition(" ")
        if mark.isdigit():
            content, _, description = f" {rest}".partition(" -- ")
            content = content.strip() or ("#Errors" if mark >= "400" else "")
            call.answers[mark] = Answer(_content(content.removeprefix("-")), description)
        elif mark == ">" and call.answers:
            list(call.answers.values())[-1].headers += read_members(rest)
        elif not isinstance(call, Call):
            raise NotationError("expected an answer")
        elif mark == "?" and ":" in rest:
            call.parameters += read_members(rest)
        elif mark == "?":
            call.shared += rest.split()
        elif mark in ("<", "<?"):
            call.body, call.needs_body = _content(rest), mark == "<"
        else:
            raise NotationError("expected a parameter, a body or an answer of the call")


def _content(text: str) -> Content:
    found: Content = []
    for part in filter(None, (one.strip() for one in text.split(", "))):
        media = re.match(r"[a-z]+/[-a-z.+]+ ?", part)
        type_text = part[media.end() :] if media else part
        type = read_type(type_text) if type_text else Word("string")
        found.append((media[0].strip() if media else "application/json", type))
    return found

import os
import re
import sys
import warnings
from typing import List, Optional, Set

_HERE = os.path.dirname(os.path.abspath(__file__))
_LINE = re.compile(r"^\S+Z warning: (.*)", re.M)
# What the verdict tells, and a test may want.
_UNANSWERED = "no stub matches"


class StuntDoubleWarning(UserWarning):
    """What the daemon finds valid and hardly meant, such as ``"method": "get"`` or a stub that can never answer.

    It is raised by ``-W error::stuntdouble_server.StuntDoubleWarning``, and hidden by ``ignore`` in place of ``error``.
    """


class Told:
    """The warnings of one daemon, in its answers and its log; each is given to the caller once."""

    def __init__(self, without_stubs: bool = False) -> None:
        """`without_stubs`: it was started without any, so that this is nothing to warn of."""
        self.log: Optional[str] = None
        """The path of the log; None for a daemon that was running."""
        self._read = 0
        self._texts: Set[str] = set()
        self._without_stubs = without_stubs

    def header(self, value: str) -> None:
        """Warns of the header ``X-StuntDouble-Warning`` of an answer."""
        text = re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda found: chr(int(found[1], 16)), value)
        self.warn(text.split(" | "))

    def look(self) -> None:
        """Warns of what the log says that no answer has said."""
        self.warn(self.news())

    def news(self) -> List[str]:
        """What `look` would warn of, without requests that nothing answers; it is told with this."""
        if self.log is None:
            return []
        with open(self.log, "rb") as file:
            file.seek(self._read)
            text = file.read()
        self._read += len(text)
        lines = _LINE.findall(text.decode("utf-8", "replace"))
        return [line for line in lines if not (_UNANSWERED in line or self._knows(line))]

    def _knows(self, line: str) -> bool:
        # The log names the stub before what an answer has said.
        return self._without_stubs and line.startswith("no stubs: ") or any(line.endswith(text) for text in tuple(self._texts))

    def add(self, text: str) -> None:
        self._texts.add(text)

    def warn(self, texts: List[str]) -> None:
        """Warns at the line outside of this package that has led here."""
        self._texts.update(texts)
        level, frame = 1, sys._getframe()
        while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE:
            level, frame = level + 1, frame.f_back
        for text in texts:
            warnings.warn(text, StuntDoubleWarning, stacklevel=level)

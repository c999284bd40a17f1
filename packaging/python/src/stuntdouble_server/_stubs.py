"""Stubs that were added, and the documents that they are sent in."""

import base64
import collections.abc
import itertools
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, cast

from ._patterns import pattern_of

if TYPE_CHECKING:
    from ._dialect import RequestPattern
    from ._session import Session


class Stub:
    """What one call of `stub` has added: a stub, or several; iterated, and by index, it is each of them.

    Several come of a collection, of a list of responses, and of a list or mapping of stubs.
    """

    def __init__(
        self, session: "Session", id: str, mapping: Optional[Mapping[str, Any]] = None, more: Sequence["Stub"] = (),
        key: Optional[str] = None,
    ) -> None:
        self.id = id
        """Of several the first one's."""
        self._more = more
        self._key = key
        self._session = session
        self._mapping = mapping

    @property
    def mapping(self) -> Dict[str, Any]:
        """The stub as the daemon has it, in WireMock's form; of several the first."""
        __tracebackhide__ = True
        if self._mapping is None:
            self._mapping = self._session.admin("GET", f"/mappings/{self.id}")
        return dict(self._mapping or {})

    @property
    def pattern(self) -> "RequestPattern":
        """The pattern of its requests, in WireMock's form; that of the key for a list of responses.

        `ValueError` for a collection and for stubs of several keys, which have none in common.
        """
        __tracebackhide__ = True
        if not self._more:
            return cast("RequestPattern", dict(self.mapping.get("request", {})))
        if self._key is not None and not self._key.split()[0].split("|").count("CRUD"):
            return cast("RequestPattern", pattern_of(self._key))
        raise ValueError("these are several stubs: name the request that is meant, such as 'GET /users/{id}', or one of them, stub[0]")

    def remove(self) -> None:
        """Takes it away, or all of them; what it has answered stays in the journal."""
        __tracebackhide__ = True
        for stub in self:
            self._session.admin("DELETE", f"/mappings/{stub.id}")

    def __len__(self) -> int:
        return 1 + len(self._more)

    def __iter__(self) -> Iterator["Stub"]:
        # The first as a stub of its own, which is not several.
        yield Stub(self._session, self.id, self._mapping) if self._more else self
        yield from self._more

    def __getitem__(self, index: int) -> "Stub":
        return list(self)[index]

    def __repr__(self) -> str:
        return f"<Stub {self.id}" + (f" and {len(self._more)} more>" if self._more else ">")


def in_written_order(ids: List[str], content: Any) -> List[str]:
    """The ids of the stubs of a document as they stand in it; the daemon has a mapping of routes from its end to its top."""
    parts = content.get("mappings", [content]) if isinstance(content, dict) else content
    sizes = [_size(part) for part in parts]
    if sizes.count(None) == 1:
        sizes[sizes.index(None)] = len(ids) - sum(filter(None, sizes))
    if None in sizes or sum(filter(None, sizes)) != len(ids):
        return ids
    rest = iter(ids)
    written: List[str] = []
    for part, size in zip(parts, sizes):
        some = list(itertools.islice(rest, size))
        written += reversed(some) if is_routes(part) else some
    return written


def _size(part: Any) -> Optional[int]:
    """The number of stubs of a mapping in either form; None for a collection."""
    if not is_routes(part):
        return 1
    routes = {key: value for key, value in part.items() if " " in key}
    if any(key.startswith("CRUD") for key in routes):
        return None
    return sum(len(value) if isinstance(value, list) else 1 for value in routes.values())


def is_routes(value: Any) -> bool:
    return isinstance(value, collections.abc.Mapping) and any(" " in key for key in value)


def is_list(value: Any) -> bool:
    return isinstance(value, collections.abc.Sequence) and not isinstance(value, (str, bytes, bytearray))


def response_of(route: str, response: Any, members: Dict[str, Any]) -> Any:
    """What a route's key stands for: a response, or a list of them."""
    __tracebackhide__ = True
    if is_list(response) and response and all(isinstance(one, collections.abc.Mapping) for one in response):
        if members:
            raise TypeError(f"a list of responses says all of itself; not taken beside it: {', '.join(members)}")
        return sent(response)
    if response is not None and not isinstance(response, collections.abc.Mapping):
        raise TypeError(
            f"expected a route's key such as 'GET /users/{{id}}' and its response by name, such as json=[], body='' or"
            f" sequence=[…], or a list of responses; found {route!r}, {response!r}"
        )
    return sent({**(response or {}), **members})


def sent(value: Any) -> Any:
    """A value as JSON has it: a body of bytes is `base64`."""
    if isinstance(value, collections.abc.Mapping):
        members = {key: sent(inner) for key, inner in value.items()}
        if isinstance(value.get("body"), (bytes, bytearray)):
            members["base64"] = base64.b64encode(members.pop("body")).decode()
        return members
    return [sent(one) for one in value] if is_list(value) else value

import difflib
import functools
import inspect
from typing import Any, Callable, Iterable, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])

# What other libraries call it.
_OTHER_NAMES = {
    "count": ("times", "exactly", "exact", "number", "n", "callcount", "expected"),
    "at_least": ("min", "minimum", "least", "mintimes", "mincount", "more"),
    "at_most": ("max", "maximum", "most", "maxtimes", "maxcount"),
    "within": ("timeout", "wait", "seconds", "timeoutms"),
    "timeout": ("within", "wait", "seconds", "timeoutms"),
    "fail_on": ("fail", "reasons"),
    "ignore": ("exclude", "except"),
}


def named(function: _Function) -> _Function:
    """Has a function name its options, and the one that is meant, where it is called with one that it has not."""
    options = [name for name, parameter in inspect.signature(function).parameters.items()
               if name not in ("self", "what") and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)]
    known = {*options, "what"}
    *_, owner, name_of_it = ["", *function.__qualname__.split(".")]
    call = owner if name_of_it == "__init__" else name_of_it

    @functools.wraps(function)
    def checked(*arguments: Any, **given: Any) -> Any:
        __tracebackhide__ = True
        for name in given:
            if name not in known:
                raise TypeError(f"{call}() takes {listed(options)}; found {name!r}{hint(name, options)}")
        return function(*arguments, **given)

    return cast(_Function, checked)


def listed(names: Iterable[str]) -> str:
    *most, last = list(names) or ["no options"]
    return f"{', '.join(most)} and {last}" if most else last


def hint(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'count'?``, or nothing where none is near."""

    def plain(text: str) -> str:
        return text.lower().replace("_", "")

    names = {plain(word): word for word in known}
    meant = names.get(plain(name)) or next(
        (word for word in names.values() if plain(name) in _OTHER_NAMES.get(word, ())), None)
    if meant is None:
        near = difflib.get_close_matches(plain(name), names, 1)
        meant = names[near[0]] if near else None
    return f"; did you mean {meant!r}?" if meant else ""

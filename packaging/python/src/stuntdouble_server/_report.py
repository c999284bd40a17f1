from typing import Any, Dict, List, Mapping


class Report:
    """What a session's requests came to."""

    def __init__(self, document: Mapping[str, Any], text: str) -> None:
        self.raw: Dict[str, Any] = dict(document)
        self.text = text
        """The report in words: each unmatched request with the stub nearest to it, and what else fails."""

    @property
    def passed(self) -> bool:
        return bool(self.raw.get("verdict") == "passed")

    @property
    def reasons(self) -> List[str]:
        """Why it is bad: of `unmatched`, `unused`, `unmet`, `fault`, `error`, `webhook`, `aborted`, `contract`, `slow` those that are met."""
        return list(self.raw.get("reasons", []))

    @property
    def served(self) -> int:
        """The number of requests."""
        return int(self.raw.get("served", 0))

    @property
    def headline(self) -> str:
        """What is wrong, in a line."""
        for member, said in (("unmatchedRequests", "nothing answered"), ("failedRequests", "no answer could be made for")):
            requests = self.raw.get(member, [])
            if requests and not self.passed:
                more = f", and {len(requests) - 1} more" if len(requests) > 1 else ""
                return f"{said} {requests[0].get('method')} {requests[0].get('url')}{more}"
        files = self.raw.get("files", [])
        if files and "error" in self.reasons:
            more = f", and {len(files) - 1} more" if len(files) > 1 else ""
            return f"a stub file has errors: {_place(files[0])}: {files[0].get('message')}{more}"
        return f"{self.raw.get('verdict')}: {', '.join(self.reasons) or f'{self.served} requests'}"

    @property
    def around(self) -> str:
        """What came, while the test ran, without its identity, or was refused before it could say one; empty if nothing was."""
        sections = [
            ("came while this test ran, without the identity of a test:", [_stray(one) for one in self.raw.get("withoutIdentity", [])]),
            ("refused:", [f"  {one.get('text')}{_times(one)}" for one in self.raw.get("refusals", [])]),
        ]
        return "\n\n".join("\n".join([title, *lines]) for title, lines in sections if lines)

    @property
    def unmatched(self) -> List[Dict[str, Any]]:
        return list(self.raw.get("unmatched", []))

    @property
    def failed(self) -> List[Dict[str, Any]]:
        """The requests whose stub could not be served."""
        return list(self.raw.get("failed", []))

    @property
    def unused_stubs(self) -> List[Dict[str, Any]]:
        return list(self.raw.get("unusedStubs", []))

    def __repr__(self) -> str:
        return f"<Report {self.raw.get('verdict')}: {self.served} requests, {len(self.unmatched)} unmatched>"


def _place(file: Mapping[str, Any]) -> str:
    return ":".join(str(file[member]) for member in ("file", "line", "column") if file.get(member) is not None)


def _stray(request: Mapping[str, Any]) -> str:
    stub = request.get("stub")
    answer = "nothing answered"
    if request.get("matched"):
        answer = "answered"
        if stub:
            line = f":{stub['line']}" if "line" in stub else ""
            place = f" ({stub['file']}{line})" if "file" in stub else ""
            answer += f" by {stub.get('name') or stub.get('key')}{place}"
    return f"  {request.get('method')} {request.get('url')}: {answer}{_times(request)}"


def _times(entry: Mapping[str, Any]) -> str:
    return f" ({entry['count']} times)" if entry.get("count", 1) > 1 else ""

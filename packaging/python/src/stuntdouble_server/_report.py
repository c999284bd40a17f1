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
        """Why it is bad: of `unmatched`, `unused`, `unmet`, `fault`, `error`, `webhook`, `aborted`, `slow` those that are met."""
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
        return f"{self.raw.get('verdict')}: {', '.join(self.reasons) or f'{self.served} requests'}"

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

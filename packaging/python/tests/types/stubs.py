# Checked by test_types.py, never run: what type checkers take, and what they show as an error.
from typing import Any, Dict, List

from stuntdouble_server import Fault, RequestPattern, Route, Server, Session, StubMapping


def valid(mock: Session, headers: Dict[str, str], delay: str, unknown: Dict[str, Any], user: Dict[str, object]) -> None:
    mock.stub("GET /a")
    mock.stub("GET /a", json=[1, {"a": None}], status=201, headers={"X-A": ["1", "2"]}, delay="120ms", times=2)
    mock.stub("GET /a", json=None, headers=headers, delay=delay, name=None if delay else "x")
    mock.stub("GET /a", body=b"\0", status="{{request.query.s}}", json=user)
    mock.stub("GET /a", fault={"cutAfter": "50%", "then": "rst"}, metadata={"a": 1})
    mock.stub("GET /a", delay={"uniform": ["50ms", "500ms"]}, sequence=[{"status": 503}, {"json": 1}], onEnd="loop")
    mock.stub("GET /a", {"json": 1, "fault": {"stall": {"after": 10, "for": "forever"}}})
    mock.stub("GET /a", [{"when": {"query": {"a": "1", "b": {"contains": "x"}, "c": ["1", "2"]}}}, {"status": 404}])
    mock.stub("CRUD /users", {"data": [{"id": 1}], "key": "id"})
    mock.stub("CRUD /users", data=[{"id": 1}], key="id")
    mock.stub({"request": {"method": "GET", "headers": {"A": {"equalTo": "b", "caseInsensitive": True}}}, "response": {"status": 200}})
    mock.stub({"request": {"bodyPatterns": [{"equalToJson": {"a": 1}}, {"not": {"contains": "b"}}]}})
    mock.stub({"GET /a": {"json": 1}, "GET /b": [{"status": 1}], "CRUD /c": {"data": "users.json"}, "defaults": {"basePath": "/v1"}})
    mock.stub({"mappings": [{"request": {"url": "/"}}, {"GET /a": {}}]})
    mock.stub([{"request": {"url": "/"}}, {"GET /a": {}}])
    mock.stub(unknown)
    mock.handle("GET /a", lambda request: None, when={"scheme": "https"})
    mock.verify({"method": "GET", "urlPathTemplate": "/users/{id}", "pathParameters": {"id": {"matches": "[0-9]+"}}})
    pattern: RequestPattern = {"urlPath": "/", "host": {"absent": True}}
    mock.verify(pattern)
    broken: Fault = {"kind": "EMPTY_RESPONSE", "first": {"count": 2, "perHeader": "Idempotency-Key"}}
    route: Route = {"fault": broken}
    routes: List[Route] = [route]
    mock.stub("GET /a", routes)
    mapping: StubMapping = {"request": pattern, "response": {"jsonBody": {}}, "priority": 1}
    mock.stub(mapping)
    mock.verify(mock.stub("GET /a").pattern)


def sessions(server: Server) -> None:
    server.session(settings={"fixedDelay": 20, "clock": {"offset": "-3 days"}}, ttl="5m")
    server.session(settings={"fixdDelay": 20})  # type: ignore


def invalid(mock: Session) -> None:
    mock.stub("GET /a", jsn=1)  # type: ignore
    mock.stub("GET /a", {"jsn": 1})  # type: ignore
    mock.stub("GET /a", fault="EMPTY_RESPONCE")  # type: ignore
    mock.stub("GET /a", fault={"cutAfter": 1, "than": "rst"})  # type: ignore
    mock.stub("GET /a", when={"query": {"a": {"containz": "x"}}})  # type: ignore
    mock.stub("GET /a", when={"quiry": {}})  # type: ignore
    mock.stub("GET /a", sequence=[{"status": 1, "prioriti": 3}])  # type: ignore
    mock.stub("GET /a", onEnd="again")  # type: ignore
    mock.stub({"request": {"urlPaht": "/"}})  # type: ignore
    mock.stub({"request": {"url": "/"}, "respons": {"status": 200}})  # type: ignore
    mock.stub({"GET /a": {"jsn": 1}})  # type: ignore
    mock.verify({"urlPathh": "/"})  # type: ignore
    mock.handle("GET /a", lambda request: None, wen={})  # type: ignore

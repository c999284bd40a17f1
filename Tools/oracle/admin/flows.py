"""Calls about stubs in scenarios, made to a real WireMock for recording and to the daemon for comparison."""
import json

from scenarios import A, B, C, D, LIST, admin, call, get, stub, write

STATES = admin("GET", "/scenarios")


def set_state(name, body):
    return admin("PUT", f"/scenarios/{name}/state", body)


def step(body, required=None, new=None, url="/a", name="Cart", **fields):
    fields["scenarioName"] = name
    if required is not None:
        fields["requiredScenarioState"] = required
    if new is not None:
        fields["newScenarioState"] = new
    return stub(url, body, **fields)


def add(*parts, **fields):
    return admin("POST", "/mappings", step(*parts, **fields))


CYCLE = [
    add("first", "Started", "two", id=A),
    add("second", "two", "three", id=B),
    add("third", "three", "Started", id=C),
]

FLOWS = [
    {"name": "a scenario goes round", "steps": [
        STATES, *CYCLE, STATES,
        get("/a"), STATES, get("/a"), get("/a"), get("/a"), STATES,
        admin("POST", "/scenarios/reset"), STATES, get("/a"),
    ]},
    {"name": "no state wanted, no state led to", "steps": [
        add("free", None, "two", id=A), add("wanted", "Started", None, id=B), add("last", "two", None, id=C),
        add("name alone", url="/b", id=D),
        get("/a"), get("/a"), STATES,
        admin("DELETE", f"/mappings/{B}"), get("/a"), get("/a"), get("/a"), get("/b"), STATES,
    ]},
    {"name": "states set from outside", "steps": [
        set_state("Cart", {"state": "two"}), set_state("Cart", ""), admin("POST", "/scenarios/reset"),
        *CYCLE,
        set_state("Cart", {"state": "three"}), STATES, get("/a"),
        set_state("Cart", {"state": "two"}), set_state("Cart", ""), get("/a"),
        set_state("Cart", {"state": "four"}), set_state("Cart", {"state": ""}), set_state("Cart", {"state": None}),
        set_state("Cart", {}), set_state("Cart", {"state": 5}), set_state("Cart", {"stat": "two"}),
        set_state("Cart", {"state": ["two"]}), set_state("Cart", {"state": {"a": 1}}),
        set_state("Cart", "[]"), set_state("Cart", '"two"'), set_state("Cart", "7"), set_state("Cart", "null"),
        set_state("Cart", {"state": "two", "name": "Cart"}), set_state("cart", {"state": "two"}),
        set_state("Nobody", {"stat": "two"}),
        add("spaced", "Started", "two", name="my cart"), set_state("my%20cart", {"state": "two"}),
        admin("GET", "/scenarios/Cart"), admin("POST", "/scenarios/Cart/state", {"state": "two"}),
        admin("PUT", "/scenarios/Cart"), admin("DELETE", "/scenarios/Cart"), admin("DELETE", "/scenarios"),
        admin("GET", "/scenarios/reset"), admin("GET", "/scenarios/Cart/state"),
        STATES,
    ]},
    {"name": "a first state that no stub names", "steps": [
        add("two", "two", "three", id=A), STATES, get("/a"), set_state("Cart", {"state": "Started"}),
        set_state("Cart", {"state": "two"}), get("/a"), set_state("Cart", ""), STATES,
    ]},
    {"name": "a scenario lives as long as its stubs", "steps": [
        *CYCLE, get("/a"),
        admin("DELETE", f"/mappings/{A}"), STATES,
        admin("DELETE", f"/mappings/{B}"), admin("DELETE", f"/mappings/{C}"), STATES,
        add("again", "Started", "two", id=A), STATES, get("/a"),
        admin("DELETE", "/mappings"), STATES, add("again", "Started", "two", id=A), STATES, get("/a"),
        admin("POST", "/mappings/remove", step("again", id=A)), STATES,
    ]},
    {"name": "stubs that change their scenario", "steps": [
        *CYCLE, get("/a"),
        admin("PUT", f"/mappings/{C}", step("third", "three", "Started", name="Other")), STATES,
        admin("PUT", f"/mappings/{C}", stub("/c", "alone")), STATES,
        admin("PUT", f"/mappings/{B}", step("second, edited", "two", "three")), STATES, get("/a"), STATES,
    ]},
    {"name": "scenarios and resets", "steps": [
        *CYCLE, get("/a"), get("/a"),
        admin("POST", "/mappings/reset"), STATES, *CYCLE, get("/a"), admin("POST", "/reset"), STATES,
    ]},
    {"name": "scenarios of files", "files": {
        "mappings/cart.json": json.dumps({"mappings": [
            step("first", "Started", "two", id=A), step("second", "two", "three", id=B)]}),
    }, "steps": [
        STATES, get("/a"), STATES,
        admin("POST", "/mappings/reset"), STATES, get("/a"), get("/a"), STATES,
        admin("POST", "/reset"), STATES, get("/a"),
        admin("DELETE", f"/mappings/{A}"), STATES, admin("POST", "/mappings/reset"), STATES,
        write("mappings/cart.json", step("changed", "Started", "done", id=A)),
        admin("POST", "/mappings/reset"), STATES, get("/a"), get("/a"),
        admin("POST", "/mappings/import", {"mappings": [
            step("imported", "done", "four", id=C)],
            "importOptions": {"duplicatePolicy": "OVERWRITE", "deleteAllNotInImport": False}}),
        STATES, get("/a"), STATES,
    ]},
    {"name": "odd names and states", "steps": [
        admin("POST", "/mappings", stub("/a", "no name", requiredScenarioState="x", id=A)), get("/a"),
        admin("POST", "/mappings", stub("/b", "no name", newScenarioState="x", id=B)), get("/b"), STATES,
        add("empty name", None, "x", url="/c", name="", id=C), get("/c"), STATES,
        add("empty states", "Started", "", url="/d", name="S", id=D), get("/d"), get("/d"), STATES,
        set_state("S", {"state": ""}), get("/d"), LIST,
        admin("POST", "/mappings", stub("/e", scenarioName=5, requiredScenarioState=True, newScenarioState=1.5)),
        admin("POST", "/mappings", stub("/e", scenarioName=["x"])),
        admin("POST", "/mappings", stub("/e", scenarioName="x", requiredScenarioState={"a": 1})),
        admin("POST", "/mappings", stub("/e", scenarioName="x", newScenarioState=[])),
    ]},
    {"name": "priority, and stubs without a scenario", "steps": [
        admin("POST", "/mappings", stub("/a", "plain", id=A)),
        add("first", "Started", "two", id=B, priority=1), add("second", "two", "three", id=C, priority=9),
        get("/a"), get("/a"), STATES,
        admin("DELETE", f"/mappings/{A}"), get("/a"), get("/a"), STATES,
    ]},
    {"name": "answers that fail move a scenario too", "steps": [
        add("", "Started", "two", id=A, response={"bodyFileName": "missing"}),
        get("/a"), STATES,
    ]},
]

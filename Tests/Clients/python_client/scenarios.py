"""Checks of the resource Scenarios."""

from wiremock.client import Mappings, Scenarios

from .checks import check, transport
from .mappings import add

STARTED = "Started"


def cart(server):
    """Adds three states in a cycle: empty, one, full."""
    for state, following, body in ((STARTED, "one", "empty"), ("one", "full", "one item"), ("full", STARTED, "full")):
        add("/cart", body, scenario_name="cart", required_scenario_state=state, new_scenario_state=following)


def states(server, step):
    server.ask(step, Scenarios._retreive_one, None, None, {})


@check("scenarios: the states of a ring")
def ring(server):
    cart(server)
    for turn in range(7):
        server.serve(f"turn {turn}", "/cart")
    states(server, "states")


@check("scenarios: a mapping keeps its scenario")
def kept(server):
    made = add("/a", scenario_name="s", required_scenario_state=STARTED, new_scenario_state="next")
    server.ask("retrieve", Mappings.retrieve_mapping, made)
    server.serve("once", "/a")
    server.serve("then not", "/a")


@check("scenarios: reset all")
def reset_all(server):
    cart(server)
    add("/b", "b", scenario_name="other", new_scenario_state="moved")
    server.send("/cart"), server.send("/b")
    states(server, "moved")
    server.ask("reset", Scenarios.reset_all_scenarios)
    states(server, "reset states")
    server.serve("from the beginning", "/cart")
    server.ask("reset without change", Scenarios.reset_all_scenarios)


@check("scenarios: list")
def listed(server):
    states(server, "none")
    cart(server)
    states(server, "one")
    Mappings.delete_all_mappings()
    states(server, "none again")


@check("scenarios: set a state")
def set_state(server):
    cart(server)
    server.ask("set", transport, "put", "/scenarios/cart/state", json={"state": "full"})
    server.serve("full", "/cart")
    server.ask("a state that there is not", transport, "put", "/scenarios/cart/state", json={"state": "lost"})
    server.ask("a scenario that there is not", transport, "put", "/scenarios/basket/state", json={"state": "full"})
    server.send("/cart")
    server.ask("no body resets it", transport, "put", "/scenarios/cart/state")
    states(server, "states")


@check("scenarios: a stub without a required state")
def unconditional(server):
    add("/a", "any state", scenario_name="s", new_scenario_state="moved", priority=5)
    add("/a", "moved", scenario_name="s", required_scenario_state="moved", priority=1)
    server.serve("first", "/a"), server.serve("then", "/a")


@check("scenarios: an update moves a stub to another")
def moved(server):
    made = add("/a", "one", scenario_name="s", required_scenario_state=STARTED, new_scenario_state="next")
    made.scenario_name = "t"
    server.ask("update", Mappings.update_mapping, made)
    states(server, "states")
    server.serve("served", "/a")
    states(server, "after")


@check("scenarios: a server's reset begins anew")
def server_reset(server):
    cart(server)
    server.send("/cart")
    server.ask("reset", transport, "post", "/reset")
    states(server, "states")

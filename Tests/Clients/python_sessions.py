"""Uses one session with an unmodified python-wiremock, while another client uses another session.

    python_sessions.py --url http://localhost:PORT --name NAME [--rounds 20]

Stubs the same paths as the other client, requests them, counts and resets, and fails at the first answer for the other.
"""

import argparse

import requests
from wiremock.client import (
    HttpMethods,
    Mapping,
    MappingRequest,
    MappingResponse,
    Mappings,
    NearMissMatchPatternRequest,
    Requests,
    Scenarios,
)
from wiremock.constants import Config


def expect(found, expected):
    if found != expected:
        raise SystemExit(f"expected {expected!r}, found {found!r}")


def stub(body, **more):
    Mappings.create_mapping(
        Mapping(
            request=MappingRequest(method=HttpMethods.GET, url_path="/greeting"),
            response=MappingResponse(status=200, body=body),
            **more,
        )
    )


def play(url, name, number):
    mine = f"{name} {number}"
    stub(mine + " first", scenario_name="s", required_scenario_state="Started", new_scenario_state="two")
    stub(mine + " second", scenario_name="s", required_scenario_state="two")
    for expected in ("first", "second", "second"):
        expect(requests.get(f"{url}/greeting?{name}", timeout=30).text, f"{mine} {expected}")
    expect(requests.get(f"{url}/inherited?{name}", timeout=30).text, "base")
    pattern = NearMissMatchPatternRequest(url_path="/greeting", method=HttpMethods.GET)
    expect(Requests.get_matching_request_count(pattern).count, 3)
    found = [request.url for request in Requests.get_matching_requests(pattern).requests]
    expect(found, [f"/greeting?{name}"] * 3)
    expect(len(Requests.get_all_received_requests(parameters={}).requests), 4)
    expect(Mappings.retrieve_all_mappings().meta.total, 3)
    if number % 2:
        Scenarios.reset_all_scenarios()
        expect(requests.get(f"{url}/greeting?{name}", timeout=30).text, f"{mine} first")
    Mappings.reset_mappings()
    expect(Mappings.retrieve_all_mappings().meta.total, 1)
    expect(len(Requests.get_all_received_requests(parameters={}).requests), 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--url", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    Config.base_url = arguments.url + "/__admin"
    for number in range(arguments.rounds):
        play(arguments.url, arguments.name, number)


if __name__ == "__main__":
    main()

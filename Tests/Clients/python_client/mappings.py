"""Checks of the resource Mappings: adding, changing and removing stubs."""

from wiremock.client import HttpMethods, Mapping, MappingRequest, MappingResponse, Mappings

from .checks import check, transport

KNOWN = "aaaaaaaa-0000-4000-8000-000000000001"
UNKNOWN = "aaaaaaaa-0000-4000-8000-00000000ffff"


def mapping(url, body="", method=HttpMethods.GET, **more):
    return Mapping(request=MappingRequest(method=method, url=url), response=MappingResponse(status=200, body=body), **more)


def add(*arguments, **more):
    return Mappings.create_mapping(mapping(*arguments, **more))


@check("mappings: create, and serve")
def create(server):
    server.ask("create", Mappings.create_mapping, mapping("/a", "one", priority=100, persistent=False))
    server.serve("served", "/a", shown=["Matched-Stub-Name"])
    server.serve("other method", "/a", method="POST")
    server.serve("other path", "/b")


@check("mappings: create with an id")
def create_with_id(server):
    server.ask("create", Mappings.create_mapping, mapping("/a", id=KNOWN))
    server.ask("again", Mappings.create_mapping, mapping("/b", id=KNOWN))
    server.ask("retrieve", Mappings.retrieve_mapping, KNOWN)
    server.ask("all", Mappings.retrieve_all_mappings)


@check("mappings: create with nothing")
def create_with_nothing(server):
    server.ask("create", Mappings.create_mapping, Mapping())
    server.serve("served", "/whatever")


@check("mappings: create what is no mapping")
def create_wrongly(server):
    server.ask("a dictionary is refused by the client", Mappings.create_mapping, {"request": {}})
    server.ask("a status that is no number", Mappings.create_mapping,
               Mapping(request=MappingRequest(url="/a"), response=MappingResponse(status="many")))
    server.ask("two kinds of URL", Mappings.create_mapping, Mapping(request=MappingRequest(url="/a", url_path="/b")))
    server.ask("a fault that there is not", Mappings.create_mapping,
               Mapping(request=MappingRequest(url="/a"), response=MappingResponse(fault="EARTHQUAKE")))
    server.ask("an id that is none", Mappings.create_mapping, mapping("/a", id="one"))
    server.ask("all", Mappings.retrieve_all_mappings)


@check("mappings: retrieve")
def retrieve(server):
    made = add("/a", "one", metadata={"owner": "suite", "tags": ["x", "y"]})
    server.ask("by id", Mappings.retrieve_mapping, made.id)
    server.ask("by entity", Mappings.retrieve_mapping, made)
    server.ask("unknown", Mappings.retrieve_mapping, UNKNOWN)
    server.ask("no id", Mappings.retrieve_mapping, "one")


@check("mappings: retrieve all")
def retrieve_all(server):
    server.ask("none", Mappings.retrieve_all_mappings)
    for number in range(5):
        add(f"/{number}", priority=3 - number % 2)
    server.ask("all", Mappings.retrieve_all_mappings)
    server.ask("two", Mappings.retrieve_all_mappings, {"limit": 2})
    server.ask("two behind three", Mappings.retrieve_all_mappings, {"limit": 2, "offset": 3})
    server.ask("by the base class", Mappings._retreive_all, {"limit": 1}, {})


@check("mappings: update")
def update(server):
    made = add("/a", "one")
    made.request.url = "/b"
    made.response.body = "two"
    made.priority = 2
    server.ask("update", Mappings.update_mapping, made)
    server.serve("old path", "/a")
    server.serve("new path", "/b")
    server.ask("all", Mappings.retrieve_all_mappings)
    server.ask("unknown", Mappings.update_mapping, mapping("/c", id=UNKNOWN))
    server.ask("no id", Mappings.update_mapping, mapping("/d", id="one"))
    wrong = mapping("/e", id=made.id)
    wrong.response.status = "many"
    server.ask("wrong", Mappings.update_mapping, wrong)
    server.serve("still", "/b")


@check("mappings: delete")
def delete(server):
    first, second, third = add("/a", "one"), add("/b", "two"), add("/c", "three")
    server.ask("by id", Mappings.delete_mapping, first.id)
    server.ask("by entity", Mappings.delete_mapping, second)
    server.ask("again", Mappings.delete_mapping, first.id)
    server.ask("no id", Mappings.delete_mapping, "one")
    server.serve("gone", "/a")
    server.serve("there", "/c")
    server.ask("all", Mappings.retrieve_all_mappings)
    server.ask("by the base class", Mappings._delete, third, None, {})
    server.serve("gone too", "/c")


@check("mappings: delete all")
def delete_all(server):
    add("/a"), add("/b")
    server.ask("delete", Mappings.delete_all_mappings)
    server.ask("all", Mappings.retrieve_all_mappings)
    server.serve("gone", "/a")
    server.ask("once more", Mappings.delete_all_mappings)


@check("mappings: reset")
def reset(server):
    add("/a", "one")
    server.ask("reset", Mappings.reset_mappings)
    server.serve("gone", "/a")
    server.ask("all", Mappings.retrieve_all_mappings)


@check("mappings: persist")
def persist(server):
    add("/a", "one", persistent=True), add("/b", "two")
    server.note("files before", len(list(server.root.rglob("*.json"))))
    server.ask("persist", Mappings.persist_mappings)
    server.note("files", len(list(server.root.rglob("*.json"))))
    add("/c", "three")
    server.ask("reset", Mappings.reset_mappings)
    server.serve("persistent", "/a"), server.serve("persisted", "/b"), server.serve("not persisted", "/c")
    server.ask("delete all", Mappings.delete_all_mappings)
    server.note("files behind", len(list(server.root.rglob("*.json"))))
    server.ask("reset again", Mappings.reset_mappings)
    server.serve("gone", "/a")


@check("mappings: priority and order")
def order(server):
    add("/a", "older", priority=2), add("/a", "newer", priority=2)
    server.serve("the newer wins", "/a")
    add("/a", "late", priority=9)
    server.serve("not the lower priority", "/a")
    first = add("/a", "first", priority=1)
    server.serve("the higher priority", "/a")
    Mappings.delete_mapping(first)
    server.serve("as before", "/a")


@check("mappings: find by metadata")
def find_by_metadata(server):
    for owner, team in (("ann", "red"), ("bob", "red"), ("cid", "blue")):
        add("/" + owner, metadata={"owner": owner, "team": {"colour": team}})
    add("/none")
    for step, pattern in (
        ("by path", {"matchesJsonPath": "$.team"}),
        ("by path and value", {"matchesJsonPath": {"expression": "$.team.colour", "equalTo": "red"}}),
        ("by equality", {"equalToJson": '{"owner":"cid"}', "ignoreExtraElements": True}),
        ("none", {"matchesJsonPath": "$.rank"}),
    ):
        server.ask(step, transport, "post", "/mappings/find-by-metadata", json=pattern)


@check("mappings: delete by metadata")
def delete_by_metadata(server):
    for owner, team in (("ann", "red"), ("bob", "red"), ("cid", "blue")):
        add("/" + owner, metadata={"owner": owner, "team": team})
    add("/none")
    server.ask("delete", Mappings.delete_mapping_by_metadata, {"matchesJsonPath": {"expression": "$.team", "equalTo": "red"}})
    server.ask("all", Mappings.retrieve_all_mappings)
    server.serve("gone", "/ann"), server.serve("there", "/cid"), server.serve("without metadata", "/none")
    server.ask("none", Mappings.delete_mapping_by_metadata, {"matchesJsonPath": "$.rank"})
    server.ask("all again", Mappings.retrieve_all_mappings)


@check("mappings: import")
def import_mappings(server):
    add("/kept", "kept", id=KNOWN)
    server.ask("import", transport, "post", "/mappings/import", json={
        "mappings": [mapping("/a", "one").get_json_data(), mapping("/kept", "changed", id=KNOWN).get_json_data()],
        "importOptions": {"duplicatePolicy": "OVERWRITE", "deleteAllNotInImport": False},
    })
    server.serve("new", "/a"), server.serve("overwritten", "/kept")
    server.ask("and delete", transport, "post", "/mappings/import", json={
        "mappings": [mapping("/b", "two").get_json_data()], "importOptions": {"deleteAllNotInImport": True},
    })
    server.serve("gone", "/a"), server.serve("imported", "/b")
    server.ask("all", Mappings.retrieve_all_mappings)


@check("mappings: remove by request")
def remove(server):
    made = add("/a", "one")
    add("/b", "two")
    server.ask("by id", transport, "post", "/mappings/remove", json={"id": made.id, "request": {"url": "/other"}})
    server.ask("by request", transport, "post", "/mappings/remove", json={"request": {"method": "GET", "url": "/b"}})
    server.ask("unknown", transport, "post", "/mappings/remove", json={"request": {"method": "GET", "url": "/c"}})
    server.ask("all", Mappings.retrieve_all_mappings)


@check("mappings: unmatched")
def unmatched(server):
    add("/used", "one", id=KNOWN), add("/unused", "two")
    server.serve("used", "/used")
    server.ask("unused", transport, "get", "/mappings/unmatched")
    server.ask("remove them", transport, "delete", "/mappings/unmatched")
    server.ask("all", Mappings.retrieve_all_mappings)

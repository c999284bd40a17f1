"""Checks of the client's response models: every field of MappingResponse."""

import base64

from wiremock.client import DelayDistribution, DelayDistributionMethods, Mapping, MappingRequest, MappingResponse, Mappings
from wiremock.client import CommonHeaders, ResponseFaultType

from .checks import check


def stub(server, step="create", **response):
    return server.ask(step, Mappings.create_mapping, Mapping(
        request=MappingRequest(method="ANY", url_path="/a"), response=MappingResponse(**response)))


@check("responses: status and statusMessage")
def status(server):
    for code in (200, 201, 204, 304, 400, 404, 418, 500, 503):
        stub(server, f"create {code}", status=code, body="" if code in (204, 304) else "text")
        server.serve(str(code), "/a", allow_redirects=False)
    stub(server, "create with a message", status=200, status_message="All is well")
    server.serve("with a message", "/a")


@check("responses: body")
def body(server):
    stub(server, status=200, body="grüße")
    server.serve("served", "/a", shown=["Content-Type"])
    server.serve("HEAD", "/a", method="HEAD")


@check("responses: json_body")
def json_body(server):
    stub(server, status=200, json_body={"a": [1, 2.5, None, True, "ü"], "b": {}})
    server.serve("served", "/a", shown=["Content-Type"])


@check("responses: base64_body")
def base64_body(server):
    stub(server, status=200, base64_body=base64.b64encode(bytes(range(256))).decode())
    server.serve("served", "/a", shown=["Content-Type"])
    stub(server, "create wrongly", status=200, base64_body="not base 64 !")


@check("responses: body_file_name")
def body_file_name(server):
    stub(server, status=200, body_file_name="greeting.txt")
    server.serve("served", "/a", shown=["Content-Type"])


@check("responses: headers")
def headers(server):
    stub(server, status=200, headers={
        CommonHeaders.CONTENT_TYPE: "text/csv", CommonHeaders.CACHE_CONTROL: "no-store", CommonHeaders.ETAG: '"1"', "X-List": ["a", "b"]})
    server.serve("served", "/a", shown=["Content-Type", "Cache-Control", "ETag", "X-List"])


@check("responses: fixed_delay_milliseconds")
def fixed_delay(server):
    stub(server, status=200, fixed_delay_milliseconds=120)
    server.timed("late", 0.12, "/a")


@check("responses: delay_distribution, uniform")
def uniform(server):
    stub(server, status=200, delay_distribution=DelayDistribution(
        distribution_type=DelayDistributionMethods.UNIFORM, lower=80, upper=120))
    server.timed("late", 0.08, "/a")


@check("responses: delay_distribution, lognormal")
def lognormal(server):
    stub(server, status=200, delay_distribution=DelayDistribution(
        distribution_type=DelayDistributionMethods.LOG_NORMAL, median=80, sigma=0.0))
    server.timed("late", 0.075, "/a")


for fault in [value for key, value in vars(ResponseFaultType).items() if key.isupper()] + ["CONNECTION_RESET_BY_PEER"]:
    @check(f"responses: fault, {fault}")
    def faults(server, fault=fault):
        stub(server, status=200, body="text", fault=fault)
        server.serve("served", "/a")


@check("responses: from_configured_stub")
def from_configured_stub(server):
    stub(server, status=200, from_configured_stub=True)


@check("responses: metadata of a response")
def metadata(server):
    stub(server, status=200, metadata={"owner": "suite"})


@check("responses: transformers")
def transformers(server):
    stub(server, status=200, body="{{request.path}} {{parameters.word}}", transformers=["response-template"],
         transformer_parameters={"word": "hello"})
    server.serve("served", "/a")


@check("responses: transformer_parameters")
def transformer_parameters(server):
    stub(server, status=200, body="text", transformer_parameters={"word": "hello"})
    server.serve("served", "/a")


@check("responses: proxy_base_url")
def proxy(server):
    server.ask("create the target", Mappings.create_mapping, Mapping(
        request=MappingRequest(method="ANY", url="/behind/a", headers={"X-Added": {"equalTo": "1"}}),
        response=MappingResponse(status=200, body="from behind")))
    stub(server, proxy_base_url=server.url + "/behind", additional_proxy_request_headers={"X-Added": "1"})
    server.serve("served", "/a")


@check("responses: post_serve_actions")
def post_serve_actions(server):
    server.ask("create", Mappings.create_mapping, Mapping(
        request=MappingRequest(method="GET", url="/a"), response=MappingResponse(status=200), post_serve_actions={}))

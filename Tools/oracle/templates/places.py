"""Where templates count: parts of a response, the daemon's options, and the stub's transformers."""

import base64

from . import case

FILES = {
    "plain.txt": "file {{request.method}} {{parameters.a}}", "GET.txt": "got {{request.path}}",
    "sub/a b.txt": "space {{request.method}}", "bad.txt": "bad {{#if}}", "page.html": "<p>{{request.method}}</p>",
    "data.json": "{\"m\":\"{{request.method}}\"}", "binary.bin": "bin {{request.method}}",
    "image.png": "png {{request.method}}",
    "none.txt": "no templates", "braces.txt": "}} {{", "secret.txt": "\u00e9 {{request.method}} \u4e2d",
}


def encoded(text):
    return base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode()


def response(*, request="full", **members):
    own = ("flags", "files", "stub", "events", "mapping", "upstream")
    more = {name: members[name] for name in own if members.get(name) is not None}
    members = {name: value for name, value in members.items() if name not in own}
    parameters = members.pop("transformerParameters", None)
    return case(None, request, parameters, response=members, **more)


def of_bodies():
    for body in ("{{request.method}}", "plain", "", "é {{request.path}} 中"):
        yield response(body=body)
        yield response(base64Body=encoded(body))
    # No Base64 body is a template. Bytes that are not UTF-8, with a template and without.
    yield response(base64Body=encoded(b"\xff\xfe{{request.method}}\x80"))
    yield response(base64Body=encoded(b"\xff\xfe\x80"))
    yield response(base64Body=encoded(b"\xff{{"), headers={"Content-Type": "image/png"})
    yield response(base64Body=encoded("{{request.method}}"), headers={"Content-Type": "image/png"})
    yield response(base64Body=encoded("{{request.method}}"), headers={"Content-Type": "application/octet-stream"})
    for document in (
            {"a": "{{request.method}}"}, {"{{request.method}}": 1}, ["{{request.method}}", {"b": "{{request.path}}"}],
            "{{request.method}}", {"a": "{{val \"x\"}}"}, {"a": "{{val 'x'}}"}, {"a": {"b": "{{request.method}}"}},
            {"a": 1.0, "b": 1e2, "c": None}, {"a": {"b": {}}}, {"a": [1, "{{#each (array 1 2)}}{{this}}{{/each}}"]},
            {"x": "é{{request.method}}"}, 1, None, {"a": "{{request.query.name}}"}):
        yield response(jsonBody=document)
    yield response(status=204, body="{{request.method}}")
    yield response(status=404, body="{{request.method}}")
    yield response(body="{{request.method}}", headers={"Content-Type": "text/plain; charset=iso-8859-1"})
    yield response(body="é{{request.method}}", headers={"Content-Type": "text/plain; charset=iso-8859-1"})
    yield response(body="é{{request.method}}", headers={"Content-Type": "text/plain; charset=utf-16"})
    yield response(body="{{request.method}}", bodyFileName="plain.txt", files=FILES)
    yield response(body="{{request.method}}", jsonBody={"a": 1})


def of_headers():
    for headers in (
            {"X-A": "{{request.method}}"}, {"X-A": ["{{request.method}}", "b{{request.path}}"]}, {"X-{{request.method}}": "a"},
            {"X-A": ""}, {"X-A": "{{missing}}"}, {"X-A": "a{{missing}}b", "X-B": "plain"},
            {"Location": "{{request.baseUrl}}/x?q={{urlEncode request.query.name}}"}, {"X-A": "{{request.query.name}}"},
            {"X-A": "{{#if}}"}, {"X-A": "{{trim missing}}"}, {"X-A": "{{val 'a\nb'}}"}, {"X-A": "{{parameters.a}}"},
            {"Content-Type": "{{request.headers.Accept}}"}, {"Content-Type": "text/{{lower request.method}}"},
            {"Set-Cookie": ["a={{request.cookies.theme}}", "b=2"]}, {"X-A": "{{assign 'x' 'y'}}"},
            {"X-A": "{{#assign 'x'}}y{{/assign}}{{x}}"}, {"X-A": "é{{request.method}}"}, {"X-A": "{{jsonPath}}"}):
        yield response(body="b", headers=headers, transformerParameters={"a": "p"})
    yield response(headers={"X-A": "{{#assign 'x'}}y{{/assign}}"}, body="[{{x}}]")
    yield response(headers={"X-A": "{{x}}"}, body="{{#assign 'x'}}y{{/assign}}")


def of_other_members():
    yield response(statusMessage="{{request.method}} done", body="b")
    yield response(status=201, statusMessage="plain", body="b")
    yield response(status="{{request.method}}", body="b")
    yield response(fixedDelayMilliseconds="{{size request.method}}", body="b")
    yield response(delayDistribution={"type": "uniform", "lower": "{{size request.method}}", "upper": 3}, body="b")
    yield response(fault="{{request.method}}", body="b")
    yield response(proxyBaseUrl="http://127.0.0.1:1/{{lower request.method}}")
    yield response(proxyBaseUrl="{{missing}}")
    yield response(proxyBaseUrl="http://{{#if}}")
    yield response(body="{{parameters.a}}", transformerParameters={"a": "{{request.method}}"})


def of_files():
    for name in (
            "plain.txt", "{{request.method}}.txt", "{{lower 'PLAIN'}}.txt", "sub/{{val 'a b'}}.txt", "missing.txt", "{{#if}}",
            "{{trim missing}}", "bad.txt", "page.html", "data.json", "binary.bin", "image.png", "none.txt", "braces.txt",
            "secret.txt", "../mappings/x", "{{val '../mappings/x'}}", "{{request.method}}/missing.txt"):
        yield response(bodyFileName=name, transformerParameters={"a": "p"}, files=FILES)
        if name in ("plain.txt", "{{request.method}}.txt", "bad.txt"):
            for value in (True, False, "true", "false", 1, None):
                yield response(
                    bodyFileName=name, transformerParameters={"a": "p", "disableBodyFileTemplating": value}, files=FILES)
    yield response(
        bodyFileName="plain.txt", headers={"X-A": "{{request.method}}"},
        transformerParameters={"disableBodyFileTemplating": True}, files=FILES)
    yield response(body="{{request.method}}", transformerParameters={"disableBodyFileTemplating": True}, files=FILES)
    yield response(bodyFileName="{{request.method}}.txt", stub=False, files=FILES)


def of_upstreams():
    """What goes to another server: a proxied request, and the requests of webhooks, whose model has `originalRequest`.

    The names of headers stay as they are. Of several values of an additional header, only the first counts. Webhooks are
    templated whether the stub names the transformer or not.
    """
    proxy = {"request": "json", "proxyBaseUrl": "{upstream}/base", "upstream": 1}
    yield response(**proxy)
    yield response(**{**proxy, "proxyBaseUrl": "{upstream}/{{lower request.method}}/{{jsonPath request.body '$.name'}}"})
    yield response(
        **proxy, additionalProxyRequestHeaders={"X-A": "{{request.method}}", "X-{{request.method}}": "b", "X-C": "c"})
    yield response(**proxy, additionalProxyRequestHeaders={"X-A": ["{{request.method}}", "{{request.path}}"]})
    yield response(**proxy, additionalProxyRequestHeaders={"X-A": "{{#if}}"})
    yield response(**proxy, removeProxyRequestHeaders=["{{lower 'CONTENT-TYPE'}}"])
    yield response(**proxy, proxyUrlPrefixToRemove="/{{val 'things'}}")
    yield response(**proxy, headers={"X-A": "{{request.method}}"})
    yield response(**proxy, body="{{request.method}}")
    yield response(**proxy, stub=False, additionalProxyRequestHeaders={"X-A": "{{request.method}}"})
    for parameters in (
            {"method": "POST", "url": "{upstream}/hook", "headers": {"X-A": "{{originalRequest.method}}"},
             "body": "{{originalRequest.body}}"},
            {"method": "PUT", "url": "{upstream}/{{jsonPath originalRequest.body '$.name'}}",
             "body": "{{originalRequest.path}} {{request.method}}[{{parameters.a}}]", "a": 1},
            {"method": "POST", "url": "{upstream}/hook", "headers": {"X-{{originalRequest.method}}": "a"},
             "body": "{\"a\":\"{{originalRequest.headers.Host}}\"}"},
            {"method": "GET", "url": "{upstream}/hook?x={{urlEncode originalRequest.url}}"},
            {"method": "{{originalRequest.method}}", "url": "{upstream}/hook"},
            {"method": "POST", "url": "{upstream}/hook", "base64Body": encoded("{{originalRequest.method}}")},
            {"method": "POST", "url": "{upstream}/hook", "body": "{{parameters}}",
             "extra": {"b": ["{{originalRequest.method}}"]}}):
        for stub in (None, False):
            yield response(
                request="json", stub=stub, body="b", upstream=1,
                mapping={"serveEventListeners": [{"name": "webhook", "parameters": parameters}]})


def of_options():
    for flags in (
            None, ["--global-response-templating"], ["--local-response-templating"], ["--disable-response-templating"],
            ["--global-response-templating", "--disable-response-templating"]):
        for stub in (None, False):
            yield response(body="{{request.method}}", headers={"X-A": "{{request.path}}"}, flags=flags, stub=stub)
            yield response(body="{{#if}}", flags=flags, stub=stub)
        yield response(body="{{request.method}}", transformers=["response-template", "other"], flags=flags)
        yield response(body="{{request.method}}", transformers=["other"], flags=flags)
        yield response(body="{{request.method}}", transformers=[], flags=flags)
        yield response(body="{{request.method}}", transformers=["Response-Template"], flags=flags)
        yield response(body="{{request.method}}{{parameters.a}}", transformerParameters={"a": "p"}, stub=False, flags=flags)
    yield response(body="{{request.method}}", transformers="response-template")
    yield response(body="{{request.method}}", transformers=["response-template", "response-template"])
    yield response(body="{{request.method}}", transformers=None)
    yield response(body="{{parameters.a}}", transformerParameters=None)
    yield response(body="{{request.method}}{{request.path}}", flags=["--max-template-cache-entries", "0"])


def cases():
    for part in (of_bodies, of_headers, of_other_members, of_files, of_upstreams, of_options):
        yield from part()

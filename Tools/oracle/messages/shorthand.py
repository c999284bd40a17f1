"""Short ways to write down stubs and steps."""

import base64
import json

A = "11111111-1111-4111-8111-111111111111"
B = "22222222-2222-4222-8222-222222222222"
C = "33333333-3333-4333-8333-333333333333"
NONE = "99999999-9999-4999-8999-999999999999"
ORIGINATING = {"type": "originating"}
OTHERS = {"id": "44444444-4444-4444-8444-444444444444", "priority": 99, "actions": [{
    "type": "send", "message": {"body": "no"}, "channelTarget": {"type": "originating"}}]}


def encoded(data):
    return base64.b64encode(data).decode()


def case(name, *steps, **more):
    """A case; a step may be a list of steps."""
    flat = [one for step in steps for one in (step if isinstance(step, list) else [step])]
    return {"name": name, **more, "steps": flat}


def admin(method, path, body=None, **more):
    given = {"text": body} if isinstance(body, str) else {} if body is None else {"body": body}
    return {"do": "admin", "method": method, "path": path, **given, **more}


def get(path, **more):
    return admin("GET", path, **more)


def post(path, body=None, **more):
    return admin("POST", path, body, **more)


def put(path, body=None):
    return admin("PUT", path, body)


def delete(path):
    return admin("DELETE", path)


def start(name, path, body, **more):
    return {**admin("POST", path, body), "do": "start", "as": name, **more}


def finish(name, **more):
    return {"do": "finish", "of": name, **more}


def opened(name="a", path="/chat", **sent):
    """Opens a channel; `sent` are further headers."""
    return {"do": "open", "as": name, "path": path, **({"sent": sent["headers"]} if sent else {})}


def send(text, on="a"):
    times = {"times": len(text)} if len(text) > 1000 else {}
    text = text[:1] if times else text
    return {"do": "send", "on": on, **({"base64": encoded(text)} if isinstance(text, bytes) else {"text": text}), **times}


def receive(on="a", within=2000):
    return {"do": "receive", "on": on, "within": within}


def silence(on="a", within=250):
    return receive(on, within)


def frames(*given, on="a"):
    return {"do": "frames", "on": on, "frames": [[one[0], encoded(one[1]), *one[2:]] for one in given]}


def wire(data, on="a"):
    return {"do": "bytes", "on": on, "base64": encoded(data)}


def close(code=None, saying="", on="a"):
    return {"do": "close", "on": on, **({} if code is None else {"code": code, "saying": saying})}


def drop(on="a"):
    return {"do": "drop", "on": on}


def pause(ms):
    return {"do": "pause", "ms": ms}


def http(method, path, text=None, **sent):
    return {"do": "http", "method": method, "path": path, **({} if text is None else {"text": text}),
            **({"sent": sent["headers"]} if sent else {})}


def raw(text):
    return {"do": "raw", "text": text.replace("\n", "\r\n")}


def write(file, content):
    return {"do": "write", "file": file, "content": content if isinstance(content, str) else json.dumps(content)}


def says(body, to=None):
    """The action that sends `body`."""
    return {"type": "send", "message": {"body": body}, "channelTarget": to or ORIGINATING}


def on_path(path):
    return {"type": "websocket", "initiatingRequestPattern": {"urlPath": path}}


def stub(body=None, answer=None, *, channel=None, to=None, **more):
    """A stub for messages that match `body`, a matcher or else a text that they are equal to."""
    trigger = {"type": "message"}
    if channel is not None:
        trigger["channel"] = channel
    if body is not None:
        trigger["message"] = {"body": {"equalTo": body} if isinstance(body, str) else body}
    actions = [] if answer is None else [says(answer, to)]
    return {**more, "trigger": trigger, "actions": actions}


def add(*stubs):
    return [post("/message-mappings", one) for one in stubs]


def only(*stubs):
    """These stubs, and no others. WireMock takes several with one id."""
    return [delete("/message-mappings"), *add(*stubs)]


def provider(name="p"):
    return post("/channel-providers", {"name": name, "driverType": "in-memory"})


def fixed(channel="orders", name="p"):
    return post("/channels", {"providerName": name, "channelName": channel})


def send_fixed(body, channel="orders", name="p"):
    return post("/channels/send", {"type": "fixed", "providerName": name, "channelName": channel, "message": {"body": body}})


def send_to(path, body, **more):
    return post("/channels/send", {"type": "websocket", "initiatingRequest": {"urlPath": path}, "message": {"body": body}}, **more)


def asked(*messages):
    """Opens a channel, and sends each message and receives what comes for it."""
    return [opened()] + [step for message in messages for step in (send(message), receive(within=1000))]

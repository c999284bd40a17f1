"""Plays the steps of a case against a server, and compares what was found with what was recorded.

The form of cases is written down in record_messages.py.
"""

import base64
import http.client
import json
import pathlib
import re
import threading
import time
import urllib.parse

from messages.websocket import Channel, Socket, frame

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MARK = re.compile(r"(<id \d+>|<port>|<time>|<number>|<any>)")
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z"
DRAWN = {"loggedDate": "<number>", "loggedDateString": "<time>", "timestamp": "<time>", "timeOffsetNanos": "<number>"}
SETTLED = 0.2


def decoded(step):
    """The bytes of a step's `text` or `base64`."""
    data = base64.b64decode(step["base64"]) if "base64" in step else step.get("text", "").encode()
    return data * step.get("times", 1)


def page(body):
    """A page of errors names lines of Java, of which nothing is kept; the page for a request that no stub matches is told apart."""
    if "\tat " in body or "<title>Error" in body:
        return "(a stack trace)"
    return "(not matched)" if "Request was not matched" in body or "No response could be served" in body else body


class Player:
    """Plays steps. `ids` are the ids that stand for `<id 1>` and so on."""

    def __init__(self, host, port, root=None, slow=1):
        """`slow` times as long as a step says is waited for a message."""
        self.host, self.port, self.root, self.slow = host, port, root, slow
        self.begin()

    def begin(self):
        self.ids, self.channels, self.calls, self.restless = {}, {}, {}, False

    def end(self):
        for channel in self.channels.values():
            channel.shut()

    def filled(self, value):
        """The value with ids and ports in place of their marks."""
        if isinstance(value, dict):
            return {self.filled(key): self.filled(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.filled(member) for member in value]
        if not isinstance(value, str):
            return value
        return MARK.sub(lambda mark: self.ids.get(mark[0], str(self.port) if mark[0] == "<port>" else mark[0]), value)

    def http(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def call(self, step):
        body = json.dumps(step["body"]).encode() if "body" in step else step["text"].encode() if "text" in step else None
        status, answer = self.http(step["method"], "/__admin" + step["path"], body,
                                   {"Content-Type": "application/json"} if body else {})
        try:
            return {"status": status, "json": json.loads(answer)}
        except ValueError:
            return {"status": status, "answer": page(answer.decode("utf-8", "replace"))}

    def play(self, step):
        """What is found at the step."""
        return getattr(self, "play_" + step["do"])(self.filled(step)) or {}

    def play_admin(self, step):
        if self.restless:
            time.sleep(SETTLED)
            self.restless = False
        begun = time.monotonic()
        found = self.call(step)
        took = (time.monotonic() - begun) * 1000
        return self.timed(step, took, found)

    @staticmethod
    def timed(step, took, found):
        if not step.get("atLeast", 0) <= took <= step.get("atMost", 1e9):
            found["took"] = round(took)
        return found

    def play_start(self, step):
        call = self.calls[step["as"]] = {"begun": time.monotonic()}

        def work():
            call["found"] = self.call(step)
            call["ended"] = time.monotonic()
        call["thread"] = threading.Thread(target=work, daemon=True)
        call["thread"].start()
        time.sleep(SETTLED)

    def play_finish(self, step):
        call = self.calls[step["of"]]
        call["thread"].join(30)
        return self.timed(step, (call["ended"] - call["begun"]) * 1000, call["found"])

    def play_http(self, step):
        self.restless = True
        body = decoded(step) if "text" in step or "base64" in step else None
        status, answer = self.http(step["method"], step["path"], body, step.get("sent"))
        return {"status": status, "answer": page(answer.decode("utf-8", "replace"))}

    def play_raw(self, step):
        connection = Socket(self.host, self.port)
        connection.socket.sendall(decoded(step))
        status, headers, body = connection.answer(2)
        connection.socket.close()
        self.restless = True
        return {"status": status, "headers": headers, "answer": page(body.decode("utf-8", "replace"))}

    def play_open(self, step):
        before = self.open_channels()
        channel = Channel(self.host, self.port, step["path"], step.get("sent", {}))
        found = {"status": channel.status, "headers": channel.headers}
        if channel.status != 101:
            channel.shut()
            return {**found, "answer": page(channel.body.decode("utf-8", "replace"))}
        self.channels[step["as"]] = channel
        for _ in range(100):
            if self.open_channels() > before:
                break
            time.sleep(0.02)
        return found

    def open_channels(self):
        answer = self.call({"method": "GET", "path": "/channels"})
        return len(answer.get("json", {}).get("channels", ()))

    def play_send(self, step):
        self.push(step, frame(2 if "base64" in step else 1, decoded(step)))

    def push(self, step, data):
        """Sends bytes; that the server has closed is what the next `receive` tells."""
        self.restless = True
        try:
            self.channels[step["on"]].send(data)
        except (KeyError, OSError):
            pass

    def play_frames(self, step):
        """Frames as `[opcode, payload in Base64]`, or with `final`, `reserved` and `mask` after them."""
        self.push(step, b"".join(frame(one[0], base64.b64decode(one[1]), *one[2:]) for one in step["frames"]))

    def play_bytes(self, step):
        self.push(step, decoded(step))

    def play_receive(self, step):
        if step["on"] not in self.channels:
            return {"end": True}
        kind, payload, deflated = self.channels[step["on"]].receive(step["within"] / 1000 * self.slow)
        more = {"deflated": True} if deflated else {}
        encoded = base64.b64encode(payload).decode()
        if len(payload) > 1000 and len(set(payload)) == 1:
            more["times"] = len(payload)
            payload, encoded = payload[:1], base64.b64encode(payload[:1]).decode()
        if kind == "text":
            return {"text": payload.decode("utf-8", "replace"), **more}
        if kind == "close":
            code = int.from_bytes(payload[:2], "big") if payload else None
            return {"close": code, "reason": payload[2:].decode("utf-8", "replace")}
        return {"binary": {"base64": encoded}, "ping": {"ping": encoded}, "pong": {"pong": encoded}}.get(kind, {kind: True}) | more

    def play_close(self, step):
        payload = step["code"].to_bytes(2, "big") + step.get("saying", "").encode() if "code" in step else b""
        self.push(step, frame(8, payload))

    def play_drop(self, step):
        self.restless = True
        self.channels[step["on"]].shut()

    def play_pause(self, step):
        time.sleep(step["ms"] / 1000)

    def play_write(self, step):
        path = pathlib.Path(self.root, step["file"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step["content"], encoding="utf-8")

    def clean(self):
        """Takes away what other cases have left."""
        for path in ("/mappings", "/requests", "/message-mappings", "/messages"):
            self.call({"method": "DELETE", "path": path})
        self.call({"method": "POST", "path": "/reset"})
        self.call({"method": "DELETE", "path": "/message-mappings"})
        self.call({"method": "DELETE", "path": "/messages"})
        for channel in self.call({"method": "GET", "path": "/channels"}).get("json", {}).get("channels", ()):
            self.call({"method": "DELETE", "path": "/channels/" + channel["id"]})
        for provider in self.call({"method": "GET", "path": "/channel-providers"}).get("json", {}).get("channelProviders", ()):
            self.call({"method": "DELETE", "path": "/channel-providers/" + urllib.parse.quote(provider["name"], "")})


def marked(value, given, ids, port, name=None):
    """The value with marks in place of what is drawn. `given` is the text of the case, whose ids stay."""
    if name in DRAWN:
        return DRAWN[name]
    if isinstance(value, dict):
        return {key: marked(member, given, ids, port, key) for key, member in value.items()}
    if isinstance(value, list):
        return [marked(member, given, ids, port) for member in value]
    if isinstance(value, int) and not isinstance(value, bool) and value == port:
        return "<port>"
    if not isinstance(value, str):
        return value
    value = re.sub(rf"\b{port}\b", "<port>", value)
    value = re.sub(r"@[0-9a-f]{5,8}\b", "@<any>", value)
    return ID.sub(lambda id: id[0] if id[0] in given else ids.setdefault(id[0], f"<id {len(ids) + 1}>"), value)


class Comparison:
    """Compares what was recorded with what was found. An id that is not known yet takes what was found."""

    def __init__(self, player, loose_texts=False):
        self.player, self.loose_texts = player, loose_texts

    def text(self, expected, found):
        pattern, new = "", []
        for part in MARK.split(expected):
            if part == "<port>":
                pattern += str(self.player.port)
            elif part == "<time>":
                pattern += TIME
            elif part == "<any>":
                pattern += ".*"
            elif part == "<number>":
                pattern += r"-?\d+"
            elif MARK.fullmatch(part):
                known = self.player.ids.get(part)
                pattern += re.escape(known) if known else f"({ID.pattern})"
                new += [] if known else [part]
            else:
                pattern += re.escape(part)
        match = re.fullmatch(pattern, found, re.DOTALL)
        if match:
            self.player.ids.update(zip(new, match.groups()))
        return bool(match)

    def differences(self, expected, found, at="", loose=()):
        """Texts, each a pointer with what was expected and found there."""
        said = f"{at or '/'}: expected {json.dumps(expected, ensure_ascii=False)}, found {json.dumps(found, ensure_ascii=False)}"
        if isinstance(expected, dict) and isinstance(found, dict):
            result = []
            for key in dict.fromkeys([*expected, *found]):
                if key not in found:
                    result.append(f"{at}/{key}: expected {json.dumps(expected[key], ensure_ascii=False)}, found nothing")
                elif key not in expected:
                    result.append(f"{at}/{key}: expected nothing, found {json.dumps(found[key], ensure_ascii=False)}")
                else:
                    result += self.differences(expected[key], found[key], f"{at}/{key}", loose)
            return result
        if isinstance(expected, list) and isinstance(found, list):
            if len(expected) != len(found):
                return [said]
            if at.rsplit("/", 1)[-1] in loose:
                return self.unordered(expected, found, at, said)
            return [one for index, pair in enumerate(zip(expected, found))
                    for one in self.differences(*pair, f"{at}/{index}", loose)]
        if expected == "<number>":
            return [] if isinstance(found, (int, float)) and not isinstance(found, bool) else [said]
        if expected == "<port>" and found == self.player.port:
            return []
        if isinstance(expected, str) and isinstance(found, str):
            if self.loose_texts and (at.endswith(("/detail", "/reason")) or expected == "(a stack trace)"):
                return []
            return [] if self.text(expected, found) else [said]
        same = expected == found and isinstance(expected, bool) == isinstance(found, bool)
        return [] if same else [said]

    def unordered(self, expected, found, at, said):
        left = list(found)
        for one in expected:
            for candidate in left:
                ids = dict(self.player.ids)
                if not self.differences(one, candidate, at):
                    left.remove(candidate)
                    break
                self.player.ids = ids
            else:
                return [said]
        return []


def replay(player, case, patience=2.0, quiet=250, loose_texts=False, go_on=False):
    """What differs at the first step where anything differs, or with `go_on` at all steps, as texts. Where nothing came,
    `quiet` ms are waited at most.
    `loose_texts` takes any text for details of errors, reasons of closes and pages with a stack trace."""
    player.begin()
    compare, said = Comparison(player, loose_texts), []
    try:
        for number, step in enumerate(case["steps"]):
            expected = step.get("gives", {})
            until = time.monotonic() + patience
            while True:
                ids = dict(player.ids)
                found = player.play(step if "nothing" not in expected else {**step, "within": min(step["within"], quiet / player.slow)})
                found = {key: found[key] for key in expected if key in found} if step["do"] == "admin" and len(expected) == 1 else found
                differences = compare.differences(expected, found, loose=step.get("anyOrder", ()))
                repeatable = step["do"] == "admin" and (step["method"] == "GET" or step["path"].endswith(("/count", "/find")))
                if not differences or not repeatable or time.monotonic() > until:
                    break
                player.ids = ids
                time.sleep(0.05)
            said += [f"step {number} {summary(step)}: {one}" for one in differences]
            if said and not go_on:
                break
        return said
    except (OSError, KeyError, http.client.HTTPException) as error:
        return said + [f"step {number} {summary(step)}: {type(error).__name__} {error}"]
    finally:
        player.end()


def summary(step):
    return " ".join(str(step[key]) for key in ("do", "method", "path", "on", "of", "as") if key in step)


def record(player, case):
    """The case with what was found at each step."""
    player.begin()
    given = json.dumps(case)
    ids, steps = {}, []
    try:
        for step in case["steps"]:
            found = player.play(step)
            if step["do"] == "admin" and not step["path"].startswith(("/message", "/channel", "/requests/count")):
                found = {"status": found["status"]}
            assert "took" not in found, (case["name"], step, found)
            found = marked(found, given, ids, player.port)
            player.ids = {mark: id for id, mark in ids.items()}
            steps.append({**step, "gives": found} if found else step)
    finally:
        player.end()
    return {**case, "steps": steps}

"""Fields of a request pattern, each with a way to make requests for it.

A field is a function of the generator that returns a part of a pattern and a function that writes into a draft of a request
what that part asks for, or now and then something else.
"""

import base64
import urllib.parse

from matchers import documents, texts

NAMES = ["k", "X-Key", "page", "q", "Accept-Version", "user_id"]


class Draft:
    def __init__(self):
        self.method, self.path, self.query, self.headers, self.body, self.scheme = "GET", "/m", [], [], None, "http"

    def finished(self):
        target = self.path + ("?" + "&".join(self.query) if self.query else "")
        return {"method": self.method, "target": target, "headers": self.headers, "body": self.body, "scheme": self.scheme}


def header_safe(text):
    return text is None or all(" " <= letter <= "~" for letter in text)


def value_matcher(rng, wide=True):
    """A matcher and a function that draws values for it; None is a missing value."""
    form = rng.random()
    if form < 0.17:
        if rng.random() < 0.25:
            return texts.truncated_date_matcher(rng), lambda: rng.choice(["2021-06-14T12:13:14Z", "2021-06-14T12:13:59Z", texts.date(rng)])
        matcher, actual = texts.date_matcher(rng, texts.date(rng))
        return matcher, lambda: rng.choice([actual, actual, actual, texts.date(rng), None])
    if form < 0.25:
        value = documents.json_value(rng)
        draw = lambda: documents.json_text(rng, value if rng.random() < 0.7 else documents.changed_json(rng, value))
        return documents.json_matcher(rng, value), lambda: rng.choice([draw, draw, draw, lambda: None])()
    if form < 0.29:
        tree = documents.element(rng)
        draw = lambda: documents.xml_text(rng, tree if rng.random() < 0.7 else documents.changed_xml(rng, tree))
        return documents.xml_matcher(rng, tree), draw
    if form < 0.33:
        path = rng.choice(["/a/b/c", "/a", "a/b", "/x/12/", "/"])
        return texts.template_matcher(rng, path), lambda: rng.choice([path, path, "/a/b", "/a/z/c", "/x/y/"])
    text = None if rng.random() < 0.12 else texts.word(rng, wide)
    other = text if text is not None else texts.word(rng, wide)
    return texts.text_matcher(rng, text), lambda: text if rng.random() < 0.65 else rng.choice([None, texts.changed(rng, other)])


def multi_value_matcher(rng, wide=True):
    """A matcher of several values and a function that draws lists of them."""
    if rng.random() < 0.7:
        matcher, draw = value_matcher(rng, wide)
        def values():
            first = draw()
            more = [draw() for _ in range(rng.choice([0, 0, 0, 0, 1, 2]))]
            return [value for value in [first] + more if value is not None]
        return matcher, values
    pairs = [value_matcher(rng, wide) for _ in range(rng.randint(1, 3))]
    name = rng.choice(["hasExactly", "includes"])
    def several():
        drawn = [draw() for _, draw in pairs]
        if rng.random() < 0.25:
            drawn = rng.choice([drawn[1:], drawn + [texts.word(rng)], drawn + drawn[:1]])
        rng.shuffle(drawn)
        return [value for value in drawn if value is not None]
    return {name: [matcher for matcher, _ in pairs]}, several


def headers(rng):
    name = rng.choice(NAMES)
    matcher, draw = multi_value_matcher(rng, wide=False)
    def fill(draft):
        for value in draw():
            if header_safe(value):
                draft.headers.append([rng.choice([name, name, name.upper(), name.lower()]), value])
    return {"headers": {name: matcher}}, fill


def encoded(rng, name, value):
    quote = rng.choice([urllib.parse.quote, urllib.parse.quote_plus, lambda text: urllib.parse.quote(text, safe="")])
    if value == "" and rng.random() < 0.4:
        return quote(name)
    return f"{quote(name)}={quote(value)}"


def query_parameters(rng):
    name = rng.choice(NAMES + ["a b", "ü", "filter[x]"])
    matcher, draw = multi_value_matcher(rng)
    def fill(draft):
        draft.query += [encoded(rng, name if rng.random() < 0.96 else name.upper(), value) for value in draw()]
        if rng.random() < 0.2:
            draft.query.append(rng.choice(["other=1", "x", "", "=1", "k%20=1"]))
        rng.shuffle(draft.query)
    return {"queryParameters": {name: matcher}}, fill


def cookies(rng):
    name = rng.choice(["sid", "theme", "Sid", "a.b"])
    matcher, draw = value_matcher(rng, wide=False)
    def fill(draft):
        value = draw()
        pairs = [f"{name}={value}"] if value is not None and header_safe(value) and not set(value) & set(';"=') else []
        if rng.random() < 0.25:
            pairs.append(rng.choice(["other=1", "z=a%20b", name + '="quoted"', name + "=second", name.upper() + "=upper"]))
        rng.shuffle(pairs)
        if not pairs:
            return
        if len(pairs) == 2 and rng.random() < 0.3:
            draft.headers += [["Cookie", pair] for pair in pairs]
        else:
            draft.headers.append(["Cookie", "; ".join(pairs)])
    return {"cookies": {name: matcher}}, fill


def basic_auth(rng):
    user, password = rng.choice(["ada", "x y", "ünïcode"]), rng.choice(["secret", "a:b", "", "päss"])
    def fill(draft):
        word, pair = rng.choice(["Basic", "Basic", "Basic", "basic", "BASIC", "Bearer"]), f"{user}:{password}"
        pair = rng.choice([pair, pair, pair, pair, pair + "x", "ada:wrong", user])
        if rng.random() < 0.92:
            draft.headers.append(["Authorization", f"{word} {base64.b64encode(pair.encode()).decode()}"])
    return {"basicAuth": {"username": user, "password": password}}, fill


def path(rng):
    """Templates with matchers of their variables, and the other forms of a path."""
    matcher, draw = value_matcher(rng, wide=False)
    form = rng.randrange(5)
    shape = "/m/{v}"
    if form == 0:
        pattern = {"urlPathPattern": rng.choice(["/m/[^/]+", "/m/.*", "/m/\\w+/?", "/(m|n)/.+"])}
    elif form == 1:
        draw = lambda: rng.choice(["x", "12", "ada"])
        pattern = {"urlPath": "/m/" + draw()}
    else:
        shape = rng.choice(["/m/{v}", "/m/{v}", "/m/{v}/end", "/m/{v}/{w}", "/m/{v}.json", "/m/**"])
        pattern = {"urlPathTemplate": shape, "pathParameters": {"v" if "{v}" in shape else "0": matcher}}
    def fill(draft):
        value = draw()
        value = texts.word(rng) if value is None else value
        value = rng.choice([value, value, urllib.parse.quote(value, safe="")])
        value = value if all("!" <= letter <= "~" and letter not in "?#%\"<>\\^`{|}" for letter in value) else urllib.parse.quote(value)
        draft.path = shape.replace("**", "{v}").replace("{v}", value).replace("{w}", "x")
        if rng.random() < 0.15:
            draft.path = rng.choice([draft.path + "/", draft.path + "/end", "/m/x", "/m/"])
    return pattern, fill


def method(rng):
    name = rng.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "ANY", "GET_OR_HEAD", "PURGE"])
    def fill(draft):
        draft.method = rng.choice([name, name, "GET", "HEAD", "POST", "PURGE", "OPTIONS"])
        if draft.method in ("ANY", "GET_OR_HEAD"):
            draft.method = rng.choice(["GET", "HEAD", "DELETE"])
    return {"method": name}, fill


def host(rng):
    name = rng.choice(["example.org", "api.example.org", "localhost", "127.0.0.1", "[::1]"])
    matcher = texts.text_matcher(rng, rng.choice([name, name, name, None]))
    def fill(draft):
        shown = rng.choice([name, name, name, "other.net", name.upper()])
        draft.headers.append(["Host", shown + rng.choice(["", ":8080", ":80"])])
    return {"host": matcher}, fill


def port(rng):
    number = rng.choice([80, 443, 8080, 1234])
    def fill(draft):
        draft.headers.append(["Host", "localhost" + rng.choice(["", f":{number}", f":{number}", f":{number}", ":99"])])
        draft.scheme = rng.choice(["http", "http", "https"])
    return {"port": number}, fill


def scheme(rng):
    name = rng.choice(["http", "https", "https", "https", "HTTPS", "ftp"])
    def fill(draft):
        draft.scheme = rng.choice([name if name in ("http", "https") else "https", "http", "https"])
    return {"scheme": name}, fill


def client_ip(rng):
    address = rng.choice(["127.0.0.1", "10.1.2.3", "10.1.2.3, 10.9.9.9"])
    matcher = texts.text_matcher(rng, address)
    def fill(draft):
        if address != "127.0.0.1" or rng.random() < 0.3:
            draft.headers.append(["X-Forwarded-For", rng.choice([address, address, address, "10.1.2.3", "::1"])])
    return {"clientIp": matcher}, fill

"""Random parts of requests: names, targets, fields, bodies, chunks."""

import random

# The methods that node's llhttp knows and does not treat specially.
METHODS = (
    "GET HEAD POST PUT DELETE OPTIONS TRACE PATCH COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND "
    "UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PURGE MKCALENDAR LINK UNLINK"
).split()
TOKEN = b"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
PATH = b"abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-._~!$&'()*+,;=:@/"
VISIBLE = bytes(range(0x21, 0x7F))
FIELD = VISIBLE + b"    \t" + bytes(range(0x80, 0x100))
# A random field name is never one of these, which would change the framing by chance.
SPECIAL = {b"content-length", b"transfer-encoding", b"connection", b"upgrade", b"proxy-connection", b"keep-alive"}
CONTROLS = bytes(byte for byte in range(0x20) if byte not in b"\t\r\n") + b"\x7f"
CRLF = b"\r\n"


class Pieces:
    """Makes all choices from one seeded source, in the order of the calls."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def some(self, alphabet, low, high):
        return bytes(self.random.choice(alphabet) for _ in range(self.random.randint(low, high)))

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def target(self):
        kind = self.random.randrange(10)
        path = b"/" + self.some(PATH, 0, 40)
        if kind < 5:
            return path
        if kind < 8:
            return path + b"?" + self.some(PATH + b"?%&=", 0, 60)
        if kind == 8:
            return path + b"/%" + self.some(b"0123456789abcdefABCDEF", 2, 2) + b"/%zz"
        return b"http://" + self.some(b"abcdefgh.", 1, 12) + b"z:8080" + path

    def name(self):
        while True:
            name = self.some(TOKEN, 1, 20)
            if name.lower() not in SPECIAL:
                return name

    def fields(self, low=0, high=8):
        lines = [b"Host: " + self.some(b"abcdef.", 1, 12) + b"z"]
        for _ in range(self.random.randint(low, high)):
            value = self.some(FIELD, 0, 40).strip(b" \t")
            lines.append(self.name() + b":" + self.some(b" \t", 0, 3) + value + self.some(b" \t", 0, 2))
        self.random.shuffle(lines)
        return lines

    def body(self):
        return self.some(bytes(range(256)), 0, self.random.choice([0, 5, 40, 400]))

    def extension(self):
        kind = self.random.randrange(5)
        if kind < 2:
            return b""
        extension = b";" + self.some(TOKEN, 1, 8)
        if kind == 3:
            extension += b"=" + self.some(TOKEN, 1, 8)
        if kind == 4:
            extension += b'="' + self.some(TOKEN + b" \\\\", 0, 6).replace(b"\\", b"\\\\") + b'"'
        return extension

    def chunk(self, data):
        size = b"%x" % len(data)
        if self.chance(30):
            size = size.upper()
        if self.chance(20):
            size = b"0" * self.random.randint(1, 5) + size
        return size + self.extension() + CRLF + data + CRLF

    def chunked(self, trailers=True):
        chunks = b"".join(self.chunk(self.some(bytes(range(256)), 1, 60)) for _ in range(self.random.randint(0, 4)))
        lines = b""
        if trailers and self.chance(40):
            lines = b"".join(line + CRLF for line in self.fields(0, 2) if not line.startswith(b"Host"))
        last = b"0" * self.random.choice([1, 1, 1, 3]) + self.extension()
        return chunks + last + CRLF + lines + CRLF

    def method(self):
        return self.random.choice(METHODS).encode()

    def head(self, lines, version=b"HTTP/1.1", method=None, target=None):
        request_line = b" ".join([method or self.method(), target or self.target(), version])
        return request_line + CRLF + b"".join(line + CRLF for line in lines) + CRLF

    def placed(self, lines, line):
        lines.insert(self.random.randint(0, len(lines)), line)
        return lines

    def case_of(self, name):
        return self.random.choice([name, name.lower(), name.upper()])

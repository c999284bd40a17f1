#!/usr/bin/env python3
"""Requests for comparing HTTP/1.1 parsers: valid ones of every shape, and wrong ones of every kind we can think of.

    generate.py [--count 12000] [--seed N] [--labels FILE]

Prints one case a line in base64: the bytes of one connection, one request or several pipelined. The seed is printed on
standard error; the same seed and count give the same bytes. `--labels` writes the name of each case's recipe to a file,
line by line: `valid-…` is right by RFC 9112, `odd-…` is a matter of taste between parsers, `bad-…` was given one deliberate
error, and `mutated` was changed at random and may be anything.
"""

import argparse
import base64
import random
import sys

# The methods that node's llhttp knows and that carry no special meaning there.
METHODS = (
    "GET HEAD POST PUT DELETE OPTIONS TRACE PATCH COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND "
    "UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PURGE MKCALENDAR LINK UNLINK"
).split()
TOKEN = b"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
PATH = b"abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-._~!$&'()*+,;=:@/"
VISIBLE = bytes(range(0x21, 0x7F))
FIELD = VISIBLE + b"    \t" + bytes(range(0x80, 0x100))
# A random field name is never one of these: it would change the framing by chance.
SPECIAL = {b"content-length", b"transfer-encoding", b"connection", b"upgrade", b"proxy-connection", b"keep-alive"}
CONTROLS = bytes(byte for byte in range(0x20) if byte not in b"\t\r\n") + b"\x7f"
CRLF = b"\r\n"


class Generator:
    """All choices come from one seeded source, in the order of the calls."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    # Pieces

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

    # Valid requests

    def valid_plain(self):
        return self.head(self.fields())

    def valid_sized(self):
        body = self.body()
        line = self.case_of(b"Content-Length") + b":" + self.some(b" ", 0, 2) + b"%d" % len(body) + self.some(b" ", 0, 1)
        return self.head(self.placed(self.fields(), line)) + body

    def valid_chunked(self):
        line = self.case_of(b"Transfer-Encoding") + b": " + self.random.choice([b"chunked", b"Chunked", b"CHUNKED"])
        return self.head(self.placed(self.fields(), line)) + self.chunked()

    def valid_coded(self):
        line = b"Transfer-Encoding: " + self.random.choice([b"gzip, chunked", b"gzip,chunked", b"deflate , chunked"])
        return self.head(self.placed(self.fields(), line)) + self.chunked()

    def valid_pipeline(self):
        makers = [self.valid_plain, self.valid_sized, self.valid_chunked]
        return b"".join(self.random.choice(makers)() for _ in range(self.random.randint(2, 5)))

    def valid_many_fields(self):
        return self.head(self.fields(30, 90))

    def valid_long_field(self):
        return self.head(self.placed(self.fields(), self.name() + b": " + self.some(VISIBLE, 1000, 4000)))

    def valid_close(self):
        line = b"Connection: " + self.random.choice([b"close", b"Close", b"close, x", b"x, close", b"keep-alive"])
        return self.head(self.placed(self.fields(), line))

    def valid_old_version(self):
        lines = self.fields()
        if self.chance(50):
            lines = self.placed(lines, b"Connection: keep-alive")
        if self.chance(40):
            body = self.body()
            return self.head(self.placed(lines, b"Content-Length: %d" % len(body)), b"HTTP/1.0") + body
        return self.head(lines, b"HTTP/1.0")

    def valid_expect(self):
        body = self.body()
        lines = self.placed(self.placed(self.fields(), b"Expect: 100-continue"), b"Content-Length: %d" % len(body))
        return self.head(lines) + body

    def valid_asterisk(self):
        return self.head(self.fields(), method=b"OPTIONS", target=b"*")

    def valid_blank_lines_before(self):
        return CRLF * self.random.randint(1, 3) + self.valid_sized()

    # Matters of taste

    def odd_method(self):
        return self.head(self.fields(), method=self.random.choice([b"FOO", b"get", b"X-" + self.some(TOKEN, 1, 12), b"G"]))

    def odd_connect(self):
        return self.head(self.fields(), method=b"CONNECT", target=b"example.com:443")

    def odd_upgrade(self):
        lines = self.placed(self.fields(), b"Connection: upgrade")
        return self.head(self.placed(lines, b"Upgrade: " + self.random.choice([b"h2c", b"websocket"])))

    def odd_target_bytes(self):
        target = b"/" + self.some(PATH, 0, 10) + self.some(bytes(range(0x80, 0x100)) + b'"<>\\^`{|}#', 1, 4)
        return self.head(self.fields(), target=target)

    def odd_target_form(self):
        forms = [b"*", b"a", b"a/b", b"//a//b", b"?x", b"http://", b"http://h", b"HTTP://H/", b"https://h/p", b"ftp://h/p"]
        forms += [b"/a#b", b"h:80", b"http://u:p@h/", b"http://[::1]:80/"]
        return self.head(self.fields(), target=self.random.choice(forms))

    def odd_same_lengths(self):
        body = b"hello"
        lines = self.random.choice([[b"Content-Length: 5", b"Content-Length: 5"], [b"Content-Length: 5, 5"]])
        return self.head(self.fields(0, 2) + lines) + body

    def odd_version(self):
        version = self.random.choice([b"HTTP/1.2", b"HTTP/1.9", b"HTTP/2.0", b"HTTP/0.9", b"HTTP/3.0", b"HTTP/2"])
        return self.head(self.fields(), version)

    def odd_data_after_close(self):
        return self.head(self.placed(self.fields(0, 2), b"Connection: close")) + self.valid_plain()

    def odd_old_version_chunked(self):
        return self.head(self.placed(self.fields(), b"Transfer-Encoding: chunked"), b"HTTP/1.0") + self.chunked()

    def odd_length_zeros(self):
        return self.head(self.fields(0, 2) + [b"Content-Length: " + b"0" * self.random.randint(1, 30) + b"5"]) + b"hello"

    # One deliberate error

    def bad_length(self):
        values = [b"", b"+5", b"-5", b"0x5", b"5a", b"a5", b"5 5", b"5;", b"5.0", b"5e0", b"5_0", b"\xb25", b"5,", b",5"]
        values += [b"18446744073709551616", b"18446744073709551615", b"9" * 40, b"5, 6", b"5,5,6", b"\t", b"'5'", b"5\x00"]
        return self.head(self.placed(self.fields(), b"Content-Length: " + self.random.choice(values))) + b"hello"

    def bad_different_lengths(self):
        lines = self.placed(self.fields(), b"Content-Length: 5")
        return self.head(self.placed(lines, b"Content-Length: %d" % self.random.choice([0, 4, 6, 50]))) + b"hello" + b"x" * 45

    def bad_length_and_coding(self):
        lines = self.placed(self.fields(), b"Content-Length: %d" % self.random.choice([0, 5, 50]))
        return self.head(self.placed(lines, b"Transfer-Encoding: chunked")) + self.chunked()

    def bad_coding(self):
        values = [b"xchunked", b"chunkedx", b"chunked;q=1", b"\x0bchunked", b"chun ked", b"chunked, gzip", b"identity", b""]
        values += [b"chunked, chunked", b"chunked,", b",chunked", b'"chunked"', b"gzip", b"chunked\x00", b"x, y", b"chunked, identity"]
        return self.head(self.placed(self.fields(), b"Transfer-Encoding: " + self.random.choice(values))) + self.chunked()

    def bad_two_codings(self):
        lines = self.placed(self.fields(), b"Transfer-Encoding: chunked")
        values = [b"chunked", b"identity", b"gzip", b"x"]
        return self.head(self.placed(lines, b"Transfer-Encoding: " + self.random.choice(values))) + self.chunked()

    def bad_chunk_size(self):
        sizes = [b"", b"g", b" 5", b"5 ", b"5\t", b"+5", b"-5", b"0x5", b"5 ;a", b"5;", b"5; a", b"5;a=", b'5;a="', b"5;\x00"]
        sizes += [b"FFFFFFFFFFFFFFFFF", b"10000000000000000", b"8000000000000005", b"FFFFFFFFFFFFFFFB", b"5,5", b"5\r", b"5_", b"5;a\x01b"]
        head = self.head(self.placed(self.fields(), b"Transfer-Encoding: chunked"))
        return head + self.random.choice(sizes) + CRLF + b"hello" + CRLF + b"0" + CRLF + CRLF

    def bad_chunk_end(self):
        head = self.head(self.placed(self.fields(), b"Transfer-Encoding: chunked"))
        endings = [b"", b"\n", b"\r", b"x\r\n", b"\r\n\r\n", b"\r\r\n", b" \r\n", b"\n\r"]
        line = self.random.choice([CRLF, CRLF, b"\n", b"\r", b"\r\r\n"])
        return head + b"5" + line + b"hello" + self.random.choice(endings) + b"0" + CRLF + CRLF

    def bad_trailer(self):
        head = self.head(self.placed(self.fields(), b"Transfer-Encoding: chunked"))
        lines = [b"no colon", b": empty", b"a b: c", b" fold", b"a: \x00", b"a : b", b"Content-Length: 5", b"Transfer-Encoding: chunked"]
        return head + b"5\r\nhello\r\n0\r\n" + self.random.choice(lines) + self.random.choice([CRLF, b"\n", b"\r"]) + CRLF

    def bad_field_line(self):
        name, value = self.name(), self.some(VISIBLE, 1, 10)
        lines = [name + b" : " + value, name + b"\t: " + value, b" " + name + b": " + value, b"\t" + name + b": " + value]
        lines += [b": " + value, b":", name, name + b" " + value, b"a\x00b: c", b"a(b): c", b"a@b: c", b'a"b: c', b"\xe4: c", b"a b: c"]
        return self.head(self.placed(self.fields(0, 3), self.random.choice(lines)))

    def bad_field_value(self):
        control = self.some(CONTROLS + b"\r\n", 1, 2)
        value = self.some(VISIBLE, 0, 5) + control + self.some(VISIBLE, 0, 5)
        return self.head(self.placed(self.fields(0, 3), self.name() + b": " + value))

    def bad_fold(self):
        fold = self.random.choice([b"\r\n ", b"\r\n\t", b"\n ", b"\r ", b"\r\n \r\n "])
        return self.head(self.placed(self.fields(0, 3), self.name() + b": one" + fold + b"two"))

    def bad_line_ends(self):
        request = self.valid_sized() if self.chance(50) else self.valid_chunked()
        ends = [at for at in range(len(request) - 1) if request[at : at + 2] == CRLF]
        at = self.random.choice(ends)
        return request[:at] + self.random.choice([b"\n", b"\r", b"\r\r\n", b"\n\r", b"\r\n\n", b"\n\n", b""]) + request[at + 2 :]

    def bad_bare_lf(self):
        return self.valid_plain().replace(CRLF, b"\n")

    def bad_request_line(self):
        method, target = self.method(), self.target()
        lines = [
            method + b"  " + target + b" HTTP/1.1", method + b" " + target + b"  HTTP/1.1", b" " + method + b" " + target + b" HTTP/1.1",
            method + b"\t" + target + b" HTTP/1.1", method + b" " + target + b"\tHTTP/1.1", method + b" " + target + b" HTTP/1.1 ",
            method + b" " + target, method + b" " + target + b" ", method + b" HTTP/1.1", method, b"", b"\x00", b" ", method + b" ",
            method + b" /a b HTTP/1.1", method + b" " + target + b" http/1.1", method + b" " + target + b" HTTP/1.1.1",
            method + b" " + target + b" HTTP/11", method + b" " + target + b" HTTP/1,1", method + b" " + target + b" HTTP/1.",
            method + b" " + target + b" HTTP/.1", method + b" " + target + b" HTTP/01.1", method + b" " + target + b" HTTP/1.01",
            method + b" " + target + b" HTTP /1.1", method + b" " + target + b" HTTPS/1.1", method + b" " + target + b" ICE/1.0",
            method + b" /\x00 HTTP/1.1", method + b" /\x7f HTTP/1.1", method + b" /\x01 HTTP/1.1", method + b" /a\rb HTTP/1.1",
            b"GE\x00T / HTTP/1.1", b"G@T / HTTP/1.1", b"GET: / HTTP/1.1", b"HTTP/1.1 200 OK", b"PRI * HTTP/2.0",
        ]  # fmt: skip
        fields = b"".join(line + CRLF for line in self.fields(0, 3))
        return self.random.choice(lines) + CRLF + fields + CRLF

    def bad_foreign_protocol(self):
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self.some(bytes(range(256)), 32, 64)
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"
        return self.random.choice([hello, preface, b"SSH-2.0-OpenSSH_9.2\r\n", b"\x05\x01\x00", b"EHLO a\r\n", b"PING\r\n"])

    def bad_truncated(self):
        request = self.random.choice([self.valid_sized, self.valid_chunked, self.valid_pipeline])()
        return request[: self.random.randint(1, len(request) - 1)]

    def bad_body_too_short(self):
        return self.head(self.placed(self.fields(), b"Content-Length: 50")) + b"hello"

    def bad_garbage_after(self):
        return self.valid_sized() + self.some(bytes(range(256)), 1, 30)

    # Random changes

    def mutated(self):
        request = bytearray(self.random.choice(self.valid_makers)())
        for _ in range(self.random.choice([1, 1, 1, 2, 3, 8])):
            at = self.random.randrange(len(request)) if request else 0
            kind = self.random.randrange(8)
            if not request or kind == 0:
                request.insert(at, self.random.randrange(256))
            elif kind == 1:
                request[at] ^= 1 << self.random.randrange(8)
            elif kind == 2:
                request[at] = self.random.choice(b"\r\n\t :;,\x00/0-")
            elif kind == 3:
                del request[at]
            elif kind == 4:
                request[at:at] = request[at : at + self.random.randint(1, 20)]
            elif kind == 5:
                del request[at : at + self.random.randint(1, 20)]
            elif kind == 6:
                request[at:at] = self.random.choice([b"\r\n", b"\n", b"\r", b" ", b"\r\n ", b"\r\n\r\n", b"Content-Length: 3\r\n"])
            else:
                at = self.random.randrange(len(request))
                other = self.random.randrange(len(request))
                request[at], request[other] = request[other], request[at]
        return bytes(request)

    def recipes(self):
        """Every recipe by its label; `valid` ones twice, so that about half of all cases may be right."""
        named = {
            name.replace("_", "-"): getattr(self, name)
            for name in sorted(dir(type(self)))
            if name.startswith(("valid_", "odd_", "bad_"))
        }
        self.valid_makers = [maker for name, maker in named.items() if name.startswith("valid-")]
        weighted = [(name, maker) for name, maker in named.items() for _ in range(2 if name.startswith("valid-") else 1)]
        return weighted + [("mutated", self.mutated)] * 16


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--count", type=int, default=12000, help="how many cases")
    parser.add_argument("--seed", type=int, help="an earlier run's seed")
    parser.add_argument("--labels", help="write the recipe of each case to this file")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}, {options.count} cases", file=sys.stderr)

    generator = Generator(seed)
    recipes = generator.recipes()
    labels = []
    for number in range(options.count):
        # Every recipe in turn first, so that even a short run has all of them.
        label, maker = recipes[number] if number < len(recipes) else generator.random.choice(recipes)
        labels.append(label)
        sys.stdout.write(base64.b64encode(maker()).decode() + "\n")
    if options.labels:
        with open(options.labels, "w", encoding="ascii") as file:
            file.write("\n".join(labels) + "\n")


if __name__ == "__main__":
    main()

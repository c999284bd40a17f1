"""Requests that are valid by RFC 9112, and those that parsers may treat differently."""

from pieces import CRLF, PATH, TOKEN, VISIBLE, Pieces


class Valid(Pieces):
    """Every parser must accept these and read the same messages."""

    def valid_plain(self):
        return self.head(self.fields())

    def valid_sized(self):
        body = self.body()
        line = (
            self.case_of(b"Content-Length") + b":" + self.some(b" ", 0, 2) + b"%d" % len(body) + self.some(b" ", 0, 1)
        )
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


class Odd(Pieces):
    """Rare requests, and requests that may be refused: an unknown method, raw bytes in a target, another version."""

    def odd_method(self):
        return self.head(
            self.fields(), method=self.random.choice([b"FOO", b"get", b"X-" + self.some(TOKEN, 1, 12), b"G"])
        )

    def odd_connect(self):
        return self.head(self.fields(), method=b"CONNECT", target=b"example.com:443")

    def odd_upgrade(self):
        lines = self.placed(self.fields(), b"Connection: upgrade")
        return self.head(self.placed(lines, b"Upgrade: " + self.random.choice([b"h2c", b"websocket"])))

    def odd_target_bytes(self):
        target = b"/" + self.some(PATH, 0, 10) + self.some(bytes(range(0x80, 0x100)) + b'"<>\\^`{|}#', 1, 4)
        return self.head(self.fields(), target=target)

    def odd_target_form(self):
        forms = [
            b"*",
            b"a",
            b"a/b",
            b"//a//b",
            b"?x",
            b"http://",
            b"http://h",
            b"HTTP://H/",
            b"https://h/p",
            b"ftp://h/p",
        ]
        forms += [b"/a#b", b"h:80", b"http://u:p@h/", b"http://[::1]:80/"]
        return self.head(self.fields(), target=self.random.choice(forms))

    def odd_dots(self):
        segments = [self.random.choice([b".", b"..", b"%2e%2E", b".%2e", b"a", b"", b"..."]) for _ in range(4)]
        return self.head(self.fields(), target=b"/" + b"/".join(segments) + self.random.choice([b"", b"?..", b"/"]))

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
        return (
            self.head(self.fields(0, 2) + [b"Content-Length: " + b"0" * self.random.randint(1, 30) + b"5"]) + b"hello"
        )

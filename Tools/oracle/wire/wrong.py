"""Requests with one deliberate error each."""

from pieces import CONTROLS, CRLF, VISIBLE
from right import Valid


class Bad(Valid):
    """Requests that a strict parser refuses or waits on for ever. A few cases of a recipe may happen to be valid."""

    def bad_length(self):
        values = [
            b"",
            b"+5",
            b"-5",
            b"0x5",
            b"5a",
            b"a5",
            b"5 5",
            b"5;",
            b"5.0",
            b"5e0",
            b"5_0",
            b"\xb25",
            b"5,",
            b",5",
        ]
        values += [
            b"18446744073709551616",
            b"18446744073709551615",
            b"9" * 40,
            b"5, 6",
            b"5,5,6",
            b"\t",
            b"'5'",
            b"5\x00",
        ]
        return self.head(self.placed(self.fields(), b"Content-Length: " + self.random.choice(values))) + b"hello"

    def bad_different_lengths(self):
        lines = self.placed(self.fields(), b"Content-Length: 5")
        return (
            self.head(self.placed(lines, b"Content-Length: %d" % self.random.choice([0, 4, 6, 50])))
            + b"hello"
            + b"x" * 45
        )

    def bad_length_and_coding(self):
        lines = self.placed(self.fields(), b"Content-Length: %d" % self.random.choice([0, 5, 50]))
        return self.head(self.placed(lines, b"Transfer-Encoding: chunked")) + self.chunked()

    def bad_coding(self):
        values = [
            b"xchunked",
            b"chunkedx",
            b"chunked;q=1",
            b"\x0bchunked",
            b"chun ked",
            b"chunked, gzip",
            b"identity",
            b"",
        ]
        values += [
            b"chunked, chunked",
            b"chunked,",
            b",chunked",
            b'"chunked"',
            b"gzip",
            b"chunked\x00",
            b"x, y",
            b"chunked, identity",
        ]
        return (
            self.head(self.placed(self.fields(), b"Transfer-Encoding: " + self.random.choice(values))) + self.chunked()
        )

    def bad_two_codings(self):
        lines = self.placed(self.fields(), b"Transfer-Encoding: chunked")
        values = [b"chunked", b"identity", b"gzip", b"x"]
        return self.head(self.placed(lines, b"Transfer-Encoding: " + self.random.choice(values))) + self.chunked()

    def bad_chunk_size(self):
        sizes = [
            b"",
            b"g",
            b" 5",
            b"5 ",
            b"5\t",
            b"+5",
            b"-5",
            b"0x5",
            b"5 ;a",
            b"5;",
            b"5; a",
            b"5;a=",
            b'5;a="',
            b"5;\x00",
        ]
        sizes += [
            b"FFFFFFFFFFFFFFFFF",
            b"10000000000000000",
            b"8000000000000005",
            b"FFFFFFFFFFFFFFFB",
            b"5,5",
            b"5\r",
            b"5_",
            b"5;a\x01b",
        ]
        head = self.head(self.placed(self.fields(), b"Transfer-Encoding: chunked"))
        return head + self.random.choice(sizes) + CRLF + b"hello" + CRLF + b"0" + CRLF + CRLF

    def bad_chunk_end(self):
        head = self.head(self.placed(self.fields(), b"Transfer-Encoding: chunked"))
        endings = [b"", b"\n", b"\r", b"x\r\n", b"\r\n\r\n", b"\r\r\n", b" \r\n", b"\n\r"]
        line = self.random.choice([CRLF, CRLF, b"\n", b"\r", b"\r\r\n"])
        return head + b"5" + line + b"hello" + self.random.choice(endings) + b"0" + CRLF + CRLF

    def bad_trailer(self):
        head = self.head(self.placed(self.fields(), b"Transfer-Encoding: chunked"))
        lines = [
            b"no colon",
            b": empty",
            b"a b: c",
            b" fold",
            b"a: \x00",
            b"a : b",
            b"Content-Length: 5",
            b"Transfer-Encoding: chunked",
            b"Host: b",
        ]
        return (
            head + b"5\r\nhello\r\n0\r\n" + self.random.choice(lines) + self.random.choice([CRLF, b"\n", b"\r"]) + CRLF
        )

    def bad_field_line(self):
        name, value = self.name(), self.some(VISIBLE, 1, 10)
        lines = [
            name + b" : " + value,
            name + b"\t: " + value,
            b" " + name + b": " + value,
            b"\t" + name + b": " + value,
        ]
        lines += [
            b": " + value,
            b":",
            name,
            name + b" " + value,
            b"a\x00b: c",
            b"a(b): c",
            b"a@b: c",
            b'a"b: c',
            b"\xe4: c",
            b"a b: c",
        ]
        return self.head(self.placed(self.fields(0, 3), self.random.choice(lines)))

    def bad_field_value(self):
        control = self.some(CONTROLS + b"\r\n", 1, 2)
        value = self.some(VISIBLE, 0, 5) + control + self.some(VISIBLE, 0, 5)
        return self.head(self.placed(self.fields(0, 3), self.name() + b": " + value))

    def bad_host(self):
        lines = [line for line in self.fields(0, 3) if not line.startswith(b"Host")]
        hosts = [b"a b", b"h:x", b"h:65536", b":80", b"::1", b"u@h", b"a/b", b"a%zz", b"[::1", b"[]", b"[::1]x", b"\xe4", b'"a"']
        valid = [b"", b"h:", b"[::1]:80", b"a%20b", b"A_b~c", b"h:65535"]
        return self.head(self.placed(lines, b"Host: " + self.random.choice(hosts + valid)))

    def bad_expectation(self):
        expected = [b"something", b"102-processing", b"100-continue, x", b"x,100-continue", b"100-continue;a=b", b"", b","]
        version = b"HTTP/1.0" if self.chance(20) else b"HTTP/1.1"
        return self.head(self.placed(self.fields(0, 3), b"Expect: " + self.random.choice(expected)), version=version)

    def bad_fold(self):
        fold = self.random.choice([b"\r\n ", b"\r\n\t", b"\n ", b"\r ", b"\r\n \r\n "])
        return self.head(self.placed(self.fields(0, 3), self.name() + b": one" + fold + b"two"))

    def bad_line_ends(self):
        request = self.valid_sized() if self.chance(50) else self.valid_chunked()
        ends = [at for at in range(len(request) - 1) if request[at : at + 2] == CRLF]
        at = self.random.choice(ends)
        return (
            request[:at]
            + self.random.choice([b"\n", b"\r", b"\r\r\n", b"\n\r", b"\r\n\n", b"\n\n", b""])
            + request[at + 2 :]
        )

    def bad_bare_lf(self):
        return self.valid_plain().replace(CRLF, b"\n")

    def bad_request_line(self):
        method, target = self.method(), self.target()
        lines = [
            method + b"  " + target + b" HTTP/1.1",
            method + b" " + target + b"  HTTP/1.1",
            b" " + method + b" " + target + b" HTTP/1.1",
            method + b"\t" + target + b" HTTP/1.1",
            method + b" " + target + b"\tHTTP/1.1",
            method + b" " + target + b" HTTP/1.1 ",
            method + b" " + target,
            method + b" " + target + b" ",
            method + b" HTTP/1.1",
            method,
            b"",
            b"\x00",
            b" ",
            method + b" ",
            method + b" /a b HTTP/1.1",
            method + b" " + target + b" http/1.1",
            method + b" " + target + b" HTTP/1.1.1",
            method + b" " + target + b" HTTP/11",
            method + b" " + target + b" HTTP/1,1",
            method + b" " + target + b" HTTP/1.",
            method + b" " + target + b" HTTP/.1",
            method + b" " + target + b" HTTP/01.1",
            method + b" " + target + b" HTTP/1.01",
            method + b" " + target + b" HTTP /1.1",
            method + b" " + target + b" HTTPS/1.1",
            method + b" " + target + b" ICE/1.0",
            method + b" /\x00 HTTP/1.1",
            method + b" /\x7f HTTP/1.1",
            method + b" /\x01 HTTP/1.1",
            method + b" /a\rb HTTP/1.1",
            b"GE\x00T / HTTP/1.1",
            b"G@T / HTTP/1.1",
            b"GET: / HTTP/1.1",
            b"HTTP/1.1 200 OK",
            b"PRI * HTTP/2.0",
        ]
        fields = b"".join(line + CRLF for line in self.fields(0, 3))
        return self.random.choice(lines) + CRLF + fields + CRLF

    def bad_foreign_protocol(self):
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self.some(bytes(range(256)), 32, 64)
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"
        return self.random.choice(
            [hello, preface, b"SSH-2.0-OpenSSH_9.2\r\n", b"\x05\x01\x00", b"EHLO a\r\n", b"PING\r\n"]
        )

    def bad_truncated(self):
        request = self.random.choice([self.valid_sized, self.valid_chunked, self.valid_pipeline])()
        return request[: self.random.randint(1, len(request) - 1)]

    def bad_body_too_short(self):
        return self.head(self.placed(self.fields(), b"Content-Length: 50")) + b"hello"

    def bad_garbage_after(self):
        return self.valid_sized() + self.some(bytes(range(256)), 1, 30)

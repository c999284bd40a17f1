import SDCapture
import SDJSON
import SDPlatform
import SDRecording
import SDSecrets
import SDStubModel
import SDTestData
import Testing

/// Secrets become placeholders, wherever they stand.
@Suite struct RedactedExchangesTests {
    private func exchange(
        _ body: String, at target: String = "/a", type: String = "application/json"
    ) -> RecordedExchange {
        var exchange = RecordedExchange(method: "POST", url: "http://a\(target)", target: target, status: 200)
        exchange.responseHeaders = [("Content-Type", type)]
        exchange.responseBody = Array(body.utf8)
        return exchange
    }

    private func redacted(_ exchanges: RecordedExchange..., names: [String] = []) -> RedactedExchanges {
        RedactedExchanges(exchanges, SecretNames(names))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        arguments: [
            (#"{"access_token": "abc", "id": 1}"#, #"{"access_token": "REDACTED", "id": 1}"#),
            (#"{"password" : 1234}"#, #"{"password" : 0}"#),
            (#"{"token": null, "a": true}"#, #"{"token": null, "a": true}"#),
            (#"{"clientSecret":"a\"b","x":"y"}"#, #"{"clientSecret":"REDACTED","x":"y"}"#),
            (#"{"db-password": ["x"]}"#, #"{"db-password": ["REDACTED"]}"#),
            ("api_key=abc&x=1", "api_key=REDACTED&x=1"),
            (#"{"tokens": 5, "nextToken": "n"}"#, #"{"tokens": 5, "nextToken": "n"}"#),
            ("data: {\"jwt\":\"e\"}\n\n", "data: {\"jwt\":\"REDACTED\"}\n\n"),
            (#"{"token": "unclosed"#, #"{"token": "REDACTED"#), ("", ""),
        ]) func secretsAreFoundByTheirNames(_ body: String, _ expected: String)
    {
        #expect(text(redacted(exchange(body)).exchanges[0].responseBody) == expected)
    }

    @Test func furtherNamesAreTold() {
        let result = redacted(exchange(#"{"iban": "DE1"}"#), names: ["IBAN"])
        #expect(text(result.exchanges[0].responseBody) == #"{"iban": "REDACTED"}"# && result.count == 1)
    }

    @Test func aKnownSecretIsReplacedInOtherExchanges() {
        var login = exchange(#"{"token": "0123456789"}"#)
        login.responseHeaders.append(("Set-Cookie", "sid=cookie-value; Path=/; HttpOnly"))
        var other = exchange("a 0123456789 and cookie-value", at: "/a?q=0123456789", type: "text/plain")
        other.requestHeaders = [("Authorization", "Bearer bearer-value"), ("Cookie", "a=b; sid=cookie-value")]
        other.requestBody = Array("bearer-value".utf8)
        let result = redacted(login, other).exchanges
        #expect(result[0].responseHeaders[1].value == "sid=REDACTED; Path=/; HttpOnly")
        #expect(text(result[1].responseBody) == "a REDACTED and REDACTED")
        #expect(result[1].target == "/a?q=REDACTED")
        #expect(text(result[1].requestBody) == "REDACTED")
        #expect(result[1].requestHeaders.map(\.value) == ["REDACTED", "REDACTED"])
    }

    @Test func theBordersOfChunksStayAroundASecretThatIsSplit() {
        let body = "data: {\"token\":\"0123456789\"}\n\ndata: x\n\n"
        for split in 1..<body.utf8.count {
            var stream = exchange(body, type: "text/event-stream")
            stream.chunks = [.init(gap: 1, count: split), .init(gap: 2, count: body.utf8.count - split)]
            let result = redacted(stream).exchanges[0]
            let expected = "data: {\"token\":\"REDACTED\"}\n\ndata: x\n\n"
            #expect(text(result.responseBody) == expected)
            #expect(result.chunks.map(\.gap) == [1, 2])
            #expect(result.chunks.reduce(0) { $0 + $1.count } == expected.utf8.count, "\(split)")
            let pieces = text(Array(result.responseBody.prefix(result.chunks[0].count)))
            #expect(!pieces.hasSuffix("REDAC"), "\(split): \(pieces)")
        }
    }

    @Test func patternsTakeAnyValueInTheirPlace() throws {
        var login = exchange("{}", at: "/a?api_key=0123456789&x=1")
        login.requestHeaders = [("Content-Type", "application/json")]
        login.requestBody = Array(#"{"user": "u", "password": "p"}"#.utf8)
        var form = exchange("{}", at: "/b")
        form.requestHeaders = [("Content-Type", "application/x-www-form-urlencoded")]
        form.requestBody = Array("user=u&password=p".utf8)
        let names = SecretNames()
        let stubs = RecordedRoutes(
            of: RedactedExchanges([login, form], names).exchanges, names, RecordedRoutes.Options()
        ).stubs
        #expect(stubs[0].request.queryParameters.map(\.matcher.operator) == [.matches, .equalTo])
        #expect(stubs[0].request.bodyPatterns[0].operand == ["user": "u", "password": "${json-unit.any-string}"])
        #expect(stubs[1].request.formParameters.map(\.matcher.operator) == [.equalTo, .matches])
    }

    /// Headers that say what a body is stay, whatever is known.
    @Test func typesStay() {
        var login = exchange(#"{"password": "utf-8-no-cache"}"#, type: "text/html; charset=utf-8-no-cache; token=zq1")
        login.responseHeaders.append(("Cache-Control", "utf-8-no-cache"))
        login.responseHeaders.append(("X-Other", "utf-8-no-cache"))
        let headers = redacted(login).exchanges[0].responseHeaders.map(\.value)
        #expect(headers == ["text/html; charset=utf-8-no-cache; token=REDACTED", "utf-8-no-cache", "REDACTED"])
    }

    @Test func trailersAreRead() {
        var login = exchange("{}")
        login.trailers = [("X-Session-Token", "0123456789"), ("X-Sum", "42"), ("X-Next", "/a?api_key=k&page=2")]
        let result = redacted(login, exchange("0123456789", type: "text/plain")).exchanges
        #expect(result[0].trailers.map(\.value) == ["REDACTED", "42", "/a?api_key=REDACTED&page=2"])
        #expect(text(result[1].responseBody) == "REDACTED")
    }

    @Test func compressedBodiesAreRead() throws {
        let body = Array(#"{"access_token": "zq1", "refresh_token": "zq2", "n": 3}"#.utf8)
        var gzip = exchange("")
        gzip.responseHeaders += [("Content-Encoding", "gzip")]
        gzip.responseBody = try #require(gzipped(body[...]))
        gzip.requestHeaders = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
        gzip.requestBody = try #require(gzipped(body[...]))
        let result = redacted(gzip).exchanges[0]
        #expect(text(result.responseBody) == #"{"access_token": "REDACTED", "refresh_token": "REDACTED", "n": 3}"#)
        #expect(text(result.requestBody) == text(result.responseBody) && result.hidesRequest)
        #expect(!result.responseHeaders.contains { $0.name == "Content-Encoding" })
    }

    /// deflate in zlib's format and without it, and br where its library is.
    @Test(
        arguments: [
            (
                "deflate",
                [
                    120, 156, 171, 86, 74, 76, 78, 78, 45, 46, 142, 47, 201, 207, 78, 205, 83, 178, 82, 80, 170, 42, 52,
                    84, 170, 5, 0, 100, 98, 7, 233,
                ]
            ),
            (
                "deflate",
                [
                    171, 86, 74, 76, 78, 78, 45, 46, 142, 47, 201, 207, 78, 205, 83, 178, 82, 80, 170, 42, 52, 84, 170,
                    5, 0,
                ]
            ),
            (
                "br",
                [
                    11, 11, 128, 123, 34, 97, 99, 99, 101, 115, 115, 95, 116, 111, 107, 101, 110, 34, 58, 32, 34, 122,
                    113, 49, 34, 125, 3,
                ]
            ),
        ] as [(String, [UInt8])])
    func otherCodingsAreRead(coding: String, body: [UInt8]) {
        var exchange = exchange("")
        exchange.responseHeaders += [("Content-Encoding", coding)]
        exchange.responseBody = body
        guard ContentCoding.decoded(body, [coding]) != nil || coding != "br" else { return }
        #expect(text(redacted(exchange).exchanges[0].responseBody) == #"{"access_token": "REDACTED"}"#)
    }

    /// Generated exchanges of all kinds: no secret is in the stubs and files that are made of them, all else is.
    @Test(arguments: [false, true]) func noSecretIsInARecording(isWireMock: Bool) throws {
        var generator = TestGenerator()
        for round in 0..<12 {
            var exchanges: [RecordedExchange] = []
            var (secrets, neighbours): ([String], [String]) = ([], [])
            for (number, kind) in SecretDocument.Kind.allCases.enumerated() {
                let answer = SecretDocument(kind, secrets: Int.random(in: 1...12, using: &generator), &generator)
                let asked = SecretDocument(.url, secrets: 2, &generator)
                let sent = SecretDocument(kind == .url ? .form : kind, secrets: 3, &generator)
                var exchange = exchange(
                    answer.text, at: "/\(number)" + asked.text.prefix { $0 != "#" }, type: answer.contentType)
                exchange.requestHeaders = [
                    ("Content-Type", sent.contentType), ("Authorization", "Bearer \(answer.secrets[0])"),
                    ("X-Trace", answer.secrets[0]),
                ]
                exchange.requestBody = Array(sent.text.utf8)
                exchange.responseHeaders += [
                    ("Location", "/x/\(answer.secrets[0])"), ("Set-Cookie", "a=\(answer.secrets[0]); Path=/"),
                ]
                secrets += answer.secrets + asked.secrets + sent.secrets
                neighbours += answer.neighbours
                exchanges.append(exchange)
            }
            let names = SecretNames()
            let safe = RedactedExchanges(exchanges, names)
            var written = ""
            let (stubs, files): ([StubMapping], [RecordedStubs.BodyFile])
            if isWireMock {
                let mappings = RecordedMappings(of: safe.exchanges, names, keepsTiming: false)
                (stubs, files) = (mappings.stubs, mappings.bodyFiles)
            } else {
                let routes = RecordedRoutes(of: safe.exchanges, names, RecordedRoutes.Options())
                (stubs, files) = (routes.stubs, routes.bodyFiles)
            }
            for stub in stubs {
                written += stub.json().compactText
                if let body = stub.response.base64Body {
                    written += String(decoding: try Base64.decode(body), as: UTF8.self)
                }
            }
            for file in files { written += file.name + String(decoding: file.bytes, as: UTF8.self) }
            let leaked = secrets.filter { written.contains($0) }
            let lost = neighbours.filter { !written.contains($0) }
            #expect(leaked.isEmpty && lost.isEmpty, "seed \(generator.seed), round \(round): \(leaked), \(lost)")
        }
    }

    /// The stubs of the admin API answer as the server did; what is written of them has no secrets, and still matches.
    @Test(arguments: [nil, RecordSpec.Thresholds(text: 0, binary: 0)] as [RecordSpec.Thresholds?])
    func whatIsWrittenOfStubsHasNoSecrets(_ extraction: RecordSpec.Thresholds?) throws {
        var login = exchange(#"{"access_token": "zq1Ab2Cd3Ef"}"#, at: "/login/zq1Ab2Cd3Ef?api_key=zq2Ab2Cd3Ef&page=1")
        login.requestHeaders = [("Content-Type", "application/json"), ("X-Api-Key", "zq3Ab2Cd3Ef")]
        login.requestBody = Array(#"{"user": "ann", "password": "zq4Ab2Cd3Ef"}"#.utf8)
        let plain = exchange(#"{"n": 1}"#, at: "/plain")
        var spec = RecordSpec()
        spec.captureHeaders = [("X-Api-Key", nil)]
        spec.extraction = extraction
        let stubs = RecordedStubs(of: [login, plain], spec, SecretNames())
        let stub = try #require(stubs.mappings.last)
        #expect(stub.request.json.compactText.contains("zq2") && stub.request.json.compactText.contains("zq4"))
        #expect(stubs.saved.count == 1 && stubs.mappings.count == 2)
        let saved = try #require(stubs.saved[stub.id])
        var written = saved.json(view: .file).compactText
        for file in stubs.bodyFiles { written += file.name + text(file.bytes) }
        #expect(!written.contains("zq"), "\(written)")
        #expect(saved.id == stub.id && saved.response.bodyFileName == stub.response.bodyFileName)
        #expect(saved.request.headers.map(\.matcher.operator) == [.matches])
        #expect(saved.request.queryParameters.first?.matcher.operator == .matches)
        #expect(written.contains("any-string") && written.contains("access_token"))
        #expect(stubs.bodyFiles.count == (extraction == nil ? 0 : 2))
    }
}

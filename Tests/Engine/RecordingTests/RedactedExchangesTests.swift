import SDJSON
import SDRecording
import SDStubModel
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
            (#"{"password" : 1234}"#, #"{"password" : "REDACTED"}"#),
            (#"{"token": null, "a": true}"#, #"{"token": null, "a": true}"#),
            (#"{"clientSecret":"a\"b","x":"y"}"#, #"{"clientSecret":"REDACTED","x":"y"}"#),
            (#"{"db-password": ["x"]}"#, #"{"db-password": ["x"]}"#), ("api_key=abc&x=1", "api_key=REDACTED&x=1"),
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
}

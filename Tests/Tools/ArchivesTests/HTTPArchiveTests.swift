import SDArchives
import SDCapture
import SDJSON
import Testing

@Suite struct HTTPArchiveTests {
    @Test func anEntryOfChromeIsAnExchange() throws {
        let archive = try Samples.read(Samples.chrome)
        let exchange = try #require(archive.exchanges.first)
        #expect(archive.creator == "WebInspector 537.36")
        #expect(exchange.method == "POST" && exchange.status == 201 && exchange.reason.isEmpty)
        #expect(exchange.url == "https://shop.example/api/cart?user=7" && exchange.target == "/api/cart?user=7")
        #expect(
            exchange.requestHeaders.map { "\($0.name): \($0.value)" } == [
                "Host: shop.example", "content-type: application/json",
            ])
        #expect(exchange.requestBody == Array(#"{"id": 1}"#.utf8))
        // The body is no longer compressed, so neither its coding nor its length is right.
        #expect(
            exchange.responseHeaders.map { "\($0.name): \($0.value)" } == [
                "content-type: image/png", "set-cookie: a=1; Path=/", "set-cookie: b=2",
            ])
        #expect(exchange.responseBody == [0x89, 0x50, 0x4E, 0x47])
        #expect(exchange.latency == 30_500_000 && exchange.duration == 38_500_000)
        #expect(exchange.wallTime == 1_769_851_800_250_000_000)
    }

    @Test(arguments: [
        (LeftOut.noAnswer, Samples.entry(status: "0")),
        (.noAnswer, Samples.entry(status: "-1", response: #""_failureText": "net::ERR_CONNECTION_REFUSED","#)),
        (.noAnswer, #"{ "request": { "method": "GET", "url": "http://a/" }, "response": null }"#),
        (.blocked, Samples.entry(status: "0", response: #""_error": "net::ERR_BLOCKED_BY_CLIENT","#)),
        (.blocked, Samples.entry(status: "0", more: #", "_blockedReason": 2005"#)),
        (.otherScheme, Samples.entry(url: "data:image/png;base64,iVBORw==")),
        (.otherScheme, Samples.entry(url: "blob:https://shop.example/9d1f")),
        (.otherScheme, Samples.entry(url: "chrome-extension://abc/script.js")),
        (.webSocket, Samples.entry(status: "101")),
        (.webSocket, Samples.entry(url: "wss://shop.example/live", status: "0")),
        (.webSocket, Samples.entry(more: #", "_webSocketMessages": []"#)),
        (.tunnel, Samples.entry(method: "CONNECT", url: "https://shop.example:443")),
        (.noAnswer, Samples.entry(status: "103")),
        (.notModified, Samples.entry(status: "304", content: #"{ "size": 0, "mimeType": "x-unknown" }"#)),
        (.notModified, Samples.entry(status: "304", content: #"{ "size": 4711 }"#)),
        (.noBody, Samples.entry(content: #"{ "size": 4711, "mimeType": "text/html" }"#)),
        // Playwright with content: "omit".
        (
            .noBody,
            Samples.entry(content: #"{ "size": -1, "mimeType": "text/html" }"#).replacing(
                #""size": -1"#, #""size": 12"#)
        ),
        (.unmatched, Samples.entry(status: "404", more: #", "_unmatched": true"#)),
        (.otherHost, Samples.entry(url: "https://other.example/a")),
    ])
    func whatNoStubCanBeMadeOfIsCounted(_ reason: LeftOut, _ entry: String) throws {
        let archive = try Samples.read(
            Samples.archive(entry, Samples.entry(url: "https://api.example/kept")), hosts: ["api.example"])
        #expect(archive.leftOut == [reason: 1])
        #expect(archive.exchanges.map(\.target) == ["/kept"] && archive.entryCount == 2)
    }

    @Test(arguments: [
        // content, headers: body
        (#"{ "size": 0 }"#, "", ""), ("{}", "", ""), (#"{ "size": 3, "text": "abc" }"#, "", "abc"),
        (#"{ "size": 3, "text": "YWJj", "encoding": "base64" }"#, "", "abc"),
        (#"{ "size": 3, "text": "YW\r\nJj", "encoding": "BASE64" }"#, "", "abc"),
        (#"{ "size": 2, "text": "é" }"#, "", "é"),
    ])
    func bodiesAreTextOrBase64(_ content: String, _ headers: String, _ body: String) throws {
        let exchange = try #require(try Samples.exchange(Samples.entry(content: content)))
        #expect(exchange.responseBody == Array(body.utf8))
    }

    @Test(arguments: [
        ("text/plain; charset=ISO-8859-1", "é", [0xE9], "text/plain; charset=ISO-8859-1", [ArchiveWarning: Int]()),
        ("text/plain; charset=\\\"iso-8859-1\\\"", "€", Array("€".utf8), "text/plain; charset=utf-8", [.recoded: 1]),
        ("text/plain;charset=Shift_JIS", "日", Array("日".utf8), "text/plain; charset=utf-8", [.recoded: 1]),
        ("text/plain; charset=UTF-8", "日", Array("日".utf8), "text/plain; charset=UTF-8", [:]),
        ("text/plain; charset=koi8-r", "plain", Array("plain".utf8), "text/plain; charset=koi8-r", [:]),
    ])
    func textsAreWrittenInTheirCharsetOrInUTF8(
        _ type: String, _ text: String, _ body: [UInt8], _ written: String, _ warnings: [ArchiveWarning: Int]
    ) throws {
        let archive = try Samples.read(
            Samples.archive(
                Samples.entry(
                    response: #""headers": [{ "name": "Content-Type", "value": "\#(type)" }],"#,
                    content: #"{ "size": 9, "text": "\#(text)" }"#)))
        let exchange = try #require(archive.exchanges.first)
        #expect(exchange.responseBody == body && archive.warnings == warnings)
        #expect(exchange.responseHeaders.first?.value == written)
    }

    @Test(arguments: [
        (#""postData": { "mimeType": "text/plain", "text": "hello" },"#, "hello", [ArchiveWarning: Int]()),
        (#""postData": { "mimeType": "a/b", "text": "AAE=", "encoding": "base64" },"#, "\0\u{1}", [:]),
        // Charles and Firefox list the fields of a form.
        (
            #""postData": { "mimeType": "application/x-www-form-urlencoded", "params": [{ "name": "a b", "value": "1&2" }, { "name": "c", "value": "%20" }] },"#,
            "a%20b=1%262&c=%20", [:]
        ),
        (
            #""postData": { "mimeType": "multipart/form-data; boundary=x", "params": [{ "name": "f", "fileName": "a.png" }] },"#,
            "", [.noRequestBody: 1]
        ),
        (#""bodySize": 12,"#, "", [.noRequestBody: 1]), (#""bodySize": 0,"#, "", [:]), (#""postData": null,"#, "", [:]),
    ])
    func requestBodiesAreTextsOrForms(_ request: String, _ body: String, _ warnings: [ArchiveWarning: Int]) throws {
        let archive = try Samples.read(Samples.archive(Samples.entry(method: "POST", request: request)))
        #expect(archive.exchanges.first?.requestBody == Array(body.utf8))
        #expect(archive.warnings == warnings)
    }

    @Test func cookiesThatAreOnlyListedBecomeHeaders() throws {
        let exchange = try #require(
            try Samples.exchange(
                Samples.entry(
                    request: #""cookies": [{ "name": "a", "value": "1" }, { "name": "b", "value": "2" }],"#,
                    response:
                        #""cookies": [{ "name": "s", "value": "x", "path": "/", "httpOnly": true, "expires": "2026-01-31T09:30:00Z" }],"#
                )))
        #expect(exchange.requestHeaders.map(\.value) == ["a=1; b=2"])
        #expect(exchange.responseHeaders.contains { $0.name == "Set-Cookie" && $0.value == "s=x; Path=/; HttpOnly" })
    }

    @Test(arguments: [
        ("https://API.example:443/a?b=1#c", "", "https://api.example/a?b=1"),
        ("http://user:secret@localhost:8080", "", "http://localhost:8080/"),
        ("http://a.example/käse und/x?y=<1>", "", "http://a.example/k%C3%A4se%20und/x?y=%3C1%3E"),
        ("http://a.example/a", #""queryString": [{ "name": "q", "value": "b c" }],"#, "http://a.example/a?q=b%20c"),
        ("/relative", #""headers": [{ "name": "Host", "value": "a.example" }],"#, "http://a.example/relative"),
        ("http://a.example/?", "", "http://a.example/?"), ("http://[::1]:80/a", "", "http://[::1]/a"),
    ])
    func addressesAreAbsoluteAndFitForARequestLine(_ url: String, _ request: String, _ address: String) throws {
        #expect(try Samples.exchange(Samples.entry(url: url, request: request))?.url == address)
    }

    /// A cookie that a header sets counts once, and none brings a field of its own.
    @Test func listedCookiesStandBesideThoseOfHeaders() throws {
        let listed = #"""
            "headers": [{ "name": "Set-Cookie", "value": "a=1; Path=/" }, { "name": "X\r\nY", "value": "z" }],
            "cookies": [{ "name": "a", "value": "1" }, { "name": "b", "value": "2", "path": "/x", "httpOnly": true },
              { "name": "c\r\nX", "value": "3" }, { "name": "d", "value": "4\r\nX: y; Secure" }],
            """#
        let exchange = try Samples.exchange(Samples.entry(response: listed))
        #expect(
            exchange?.responseHeaders.map { "\($0.name): \($0.value)" } == [
                "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2; Path=/x; HttpOnly", "Set-Cookie: d=4",
            ])
    }

    @Test(
        arguments: [
            ("", "", nil), ("", "bytes 0-1/2", 200), ("", "bytes 0-0/2", nil), ("", "bytes 0-1/*", nil),
            ("", "pages 1-2", nil),
            (#""headers": [{ "name": "Range", "value": "bytes=0-1" }],"#, "bytes 0-1/9", 206),
        ]) func aPartIsKeptWithItsRangeOrAsTheWhole(_ request: String, _ range: String, _ status: Int?) throws
    {
        let fields = #""headers": [{ "name": "Content-Range", "value": "\#(range)" }],"#
        let text = Samples.archive(Samples.entry(request: request, status: "206", response: fields))
        let archive = try Samples.read(text)
        #expect(archive.exchanges.map(\.status) == (status.map { [$0] } ?? []))
        #expect(archive.leftOut == (status == nil ? [.partial: 1] : [:]))
        #expect(
            archive.exchanges.first?.responseHeaders.contains { $0.name == "Content-Range" }
                == (status.map { $0 == 206 }))
    }

    @Test func aBodyFromTheCacheIsNoLongerNotModified() throws {
        let archive = try Samples.read(
            Samples.archive(
                Samples.entry(request: #""headers": [{ "name": "If-None-Match", "value": "\"1\"" }],"#, status: "304")))
        let exchange = try #require(archive.exchanges.first)
        #expect(exchange.status == 200 && exchange.responseBody == Array("{}".utf8) && exchange.requestHeaders.isEmpty)
        #expect(archive.warnings == [.madeWhole: 1])
    }

    @Test func aBodyThatIsStillCompressedKeepsItsCoding() throws {
        let exchange = try #require(
            try Samples.exchange(
                Samples.entry(
                    response: #""headers": [{ "name": "Content-Encoding", "value": "gzip" }],"#,
                    content: #"{ "size": 4, "text": "H4sIAA==", "encoding": "base64" }"#)))
        #expect(exchange.responseHeaders.map(\.name) == ["Content-Encoding"])
    }

    @Test func entriesAreInTheOrderOfTime() throws {
        let late = Samples.entry(url: "http://a/late").replacing("09:30:00.000Z", "10:30:00.5+0100")
        let archive = try Samples.read(Samples.archive(late, Samples.entry(url: "http://a/soon")))
        #expect(archive.exchanges.map(\.target) == ["/soon", "/late"])
        #expect(archive.exchanges.map(\.wallTime) == [1_769_851_800_000_000_000, 1_769_851_800_500_000_000])
    }

    @Test func timesThatAreNotKnownAreNotSaid() throws {
        let entry = Samples.entry().replacing(
            #"{ "send": 1, "wait": 10, "receive": 1 }"#, #"{ "send": -1, "wait": -1, "receive": 1e300 }"#)
        let exchange = try #require(try Samples.exchange(entry.replacing("2026-01-31T09:30:00.000Z", "yesterday")))
        #expect(exchange.latency == 0 && exchange.duration == 86_400_000_000_000 && exchange.wallTime == 0)
    }

    @Test func hostsAreChosenByNamePortOrDomain() throws {
        let entries = ["api.example", "api.example:8443", "cdn.shop.example"].map {
            Samples.entry(url: "https://\($0)/")
        }
        let text = Samples.archive(entries[0], entries[1], entries[2])
        for (hosts, count) in [
            ([], 3), (["api.example"], 2), (["api.example:8443"], 1), (["*.example"], 3), (["*.shop.example"], 1),
            (["API.example", "cdn.shop.example"], 3),
        ] {
            #expect(try Samples.read(text, hosts: hosts).exchanges.count == count, "\(hosts)")
        }
        #expect(try Samples.read(text).hosts.map(\.host) == ["api.example", "api.example:8443", "cdn.shop.example"])
    }

    @Test func filesBesideTheArchiveAreBodies() throws {
        let text = Samples.archive(
            Samples.entry(
                method: "POST", request: #""postData": { "mimeType": "a/b", "_file": "request.bin" },"#,
                content: #"{ "size": -1, "mimeType": "image/png", "_file": "d2a8.png" }"#))
        let archive = try HTTPArchive(Array(text.utf8)) { ["d2a8.png": [1, 2], "request.bin": [3]][$0] }
        #expect(archive.exchanges.first?.responseBody == [1, 2] && archive.exchanges.first?.requestBody == [3])
    }
}

extension String {
    /// The text with each occurrence of a part replaced.
    func replacing(_ part: String, _ other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}

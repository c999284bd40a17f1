import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// What a report shows of what stubs and names have.
@Suite struct ReportSecrecyTests {
    @Test func stubsThatExpectSecretsShowNone() throws {
        var options = SessionOptions.unhurried
        options.redaction = Redaction()
        let mock = try TestMock(session: options)
        try mock.add(
            """
            {"request": {"url": "/a", "basicAuthCredentials": {"username": "ada", "password": "hush"},
            "bodyPatterns": [{"matchesJsonPath": "$[?(@.password == 'hush')]"},
            {"matchesXPath": "//user[password='hush']"},
            {"matchesJsonPath": {"expression": "$.token", "equalTo": "hush"}}]}}
            """)
        _ = try Exchange(mock.port, "POST", "/a", body: #"{"password": "other"}"#)
        for format in ["json", "text", "junit", "html", "github", "markdown"] {
            let text = try Exchange(mock.port, "GET", "/__admin/report?format=\(format)&fail=unused,unmatched").text
            #expect(!text.contains("hush"), "\(text)")
        }
    }

    /// Nor does what could not be served or was refused, where no name stands before a secret.
    @Test func whatFailsOrIsRefusedShowsNone() throws {
        var options = SessionOptions.unhurried
        options.redaction = Redaction()
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"name": "token=hush", "request": {"url": "/b"}, "response": {"bodyFileName": "token=hush.txt"}}"#)
        #expect(try Exchange(mock.port, "GET", "/b").status == 500)
        for target in ["joe:hush@shop.example:443", "shop.example:443?token=hush", "joe:h@u:hush@shop.example:443"] {
            _ = try mock.raw("CONNECT \(target) HTTP/1.1\r\nHost: shop.example:443\r\nConnection: close\r\n\r\n")
        }
        let page = [("Origin", "http://joe:hush@page"), ("Access-Control-Request-Method", "token=hush")]
        _ = try mock.call("OPTIONS", "/c", headers: page)
        for format in ["json", "text", "junit", "html", "github", "markdown"] {
            let text = try Exchange(
                mock.port, "GET", "/__admin/report?format=\(format)&fail=unused,unmatched,error"
            ).text
            #expect(!text.contains("hush") && text.contains("shop.example"), "\(format): \(text)")
        }
        #expect(!(try Exchange(mock.port, "GET", "/__admin/refusals").text.contains("hush")))
    }

    @Test func aReportIsNoCommand() throws {
        let mock = try TestMock()
        let text = #"{"name": "\u3000::error::x ##vso[task] \u202e\u061c"}"#
        let made = try Exchange(mock.port, "POST", "/__admin/sessions", body: text)
        let id = try #require(made.json?["id"]?.stringValue)
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/a")
        for format in ["json", "text", "junit", "html", "github", "markdown"] {
            let text = try Exchange(mock.port, "GET", "/__admin/report?format=\(format)").text
            #expect(!text.contains("##vso") && !text.contains("\u{202e}"), "\(text)")
            // GitHub looks for a command behind any white space; annotations are those that are meant.
            let starts = text.split(separator: "\n").map { $0.drop { $0.isWhitespace } }
            #expect(!starts.contains { $0.hasPrefix("::") && !$0.contains("title=") }, "\(text)")
        }
        let json = try Exchange(mock.port, "GET", "/__admin/report").json
        let name = json?["begunSessions"]?["sessions"]?[0]?["name"]?.stringValue
        #expect(name == "\u{3000}::error::x ##vso[task] \u{202e}\u{61c}")
    }
}

import SDJSON
import SDStubModel
import SDStubs
import SDTestSupport
import Synchronization
import Testing

@testable import SDAnswering
@testable import SDMockEngine

/// Sequences that are kept for each value of their requests: `per`.
@Suite struct SequencePerValueTests {
    private static let twice = #""responses": [{"body": "1"}, {"body": "2"}]"#

    private func texts(_ mock: ServedSession, _ requests: [(target: String, headers: [String])]) throws -> [String] {
        let client = try PersistentConnection(port: mock.server.port)
        return try requests.map { request in
            let answer = try client.request("GET", request.target, headers: request.headers)
            return answer.status == 200 ? answer.text : String(answer.status)
        }
    }

    /// The requests are of the values a, b, a, a, b; then one has no value.
    @Test(arguments: [
        ("path.id", #""urlPathTemplate": "/x/{id}""#, "/x/*", ""),
        ("query.key", #""urlPath": "/x""#, "/x?key=*", ""), ("query.ids[]", #""urlPath": "/x""#, "/x?ids%5B%5D=*", ""),
        ("header.X-Key", #""url": "/x""#, "/x", "x-key: *"), ("headers.X-Key", #""url": "/x""#, "/x", "X-Key: *"),
        ("cookie.sid", #""url": "/x""#, "/x", "Cookie: other=1; sid=*"),
    ])
    func eachValueBeginsWithTheFirst(per: String, url: String, target: String, header: String) throws {
        let mock = try ServedSession()
        try mock.add(#"{"request": {\#(url)}, \#(Self.twice), "per": "\#(per)"}"#)
        let requests = ["a", "b", "a", "a", "b"].map { value in
            (
                target: target.replacing("*", with: value),
                headers: header.isEmpty ? [] : [header.replacing("*", with: value)]
            )
        }
        #expect(try texts(mock, requests) == ["1", "1", "2", "2", "2"])
        guard !per.hasPrefix("path") else { return }
        #expect(try texts(mock, [("/x", []), ("/x", []), ("/x", [])]) == ["1", "2", "2"])
    }

    @Test func aValueMayBeInTheBody() throws {
        let mock = try ServedSession()
        try mock.add(#"{"request": {"url": "/x"}, \#(Self.twice), "per": "$.user['id']"}"#)
        let bodies = [#"{"user": {"id": 1}}"#, #"{"user": {"id": 2}}"#, #"{"user": { "id": 1 }}"#, "no JSON", "none"]
        let client = try PersistentConnection(port: mock.server.port)
        let answers = try bodies.map { try client.request("POST", "/x", body: $0).text }
        #expect(answers == ["1", "1", "2", "1", "2"])
        #expect(throws: (any Error).self) {
            try mock.add(#"{"request": {"url": "/y"}, \#(Self.twice), "per": "$.a[?("}"#)
        }
    }

    @Test(arguments: [
        ("loop", ["1", "2", "1"]), ("notFound", ["1", "2", "404"]), ("repeatLast", ["1", "2", "2"]),
    ])
    func eachValueHasItsEnd(onEnd: String, expected: [String]) throws {
        let mock = try ServedSession()
        try mock.add(
            #"{"request": {"urlPathTemplate": "/x/{id}"}, \#(Self.twice), "per": "path.id", "onEnd": "\#(onEnd)"}"#)
        for value in ["a", "b"] {
            #expect(try texts(mock, Array(repeating: ("/x/\(value)", []), count: 3)) == expected)
        }
    }

    @Test func aResetBeginsAnew() throws {
        let mock = try ServedSession()
        let stub = #"{"id": "11111111-1111-4111-8111-111111111111", "request": {"urlPathTemplate": "/x/{id}"}, "#
        try mock.add(stub + #"\#(Self.twice), "per": "path.id"}"#)
        try mock.add(#"{"request": {"url": "/all"}, \#(Self.twice)}"#)
        let both: [(target: String, headers: [String])] = [("/x/a", []), ("/all", [])]
        #expect(try texts(mock, both + both) == ["1", "1", "2", "2"])
        mock.session.resetScenarios()
        #expect(try texts(mock, both + both) == ["1", "1", "2", "2"])
        let edited = try StubMapping(json: JSONValue(parsing: stub + #"\#(Self.twice), "per": "path.id"}"#))
        #expect(try mock.session.replace(edited))
        #expect(try texts(mock, both) == ["1", "2"])
    }

    /// Long values are told apart by all of their bytes.
    @Test func longValuesAreTold() throws {
        let mock = try ServedSession()
        try mock.add(#"{"request": {"urlPathTemplate": "/x/{id}"}, \#(Self.twice), "per": "path.id"}"#)
        let long = String(repeating: "a", count: 500)
        let requests = ["\(long)1", "\(long)2", "\(long)1"].map { (target: "/x/\($0)", headers: [String]()) }
        #expect(try texts(mock, requests) == ["1", "1", "2"])
    }

    /// At least the last 10,000 values are kept, at most twice as many.
    @Test func valuesAreForgottenForOthers() {
        var table = SequencePositions()
        for value in 0..<20_000 {
            table[Array("\(value)".utf8)] = 1
            // This one is asked for all the time.
            table[Array("used".utf8)] = (table[Array("used".utf8)] ?? 0) + 1
        }
        #expect(table[Array("used".utf8)] == 20_000)
        #expect((10_001..<20_000).allSatisfy { table[Array("\($0)".utf8)] == 1 })
        for value in 20_000..<40_000 { table[Array("\(value)".utf8)] = 1 }
        #expect(table.hasForgotten)
        #expect((0..<20_000).allSatisfy { table[Array("\($0)".utf8)] == nil })
    }

    @Test func theLogSaysOnceThatValuesAreForgotten() throws {
        let mock = try ServedSession()
        try mock.add(#"{"request": {"urlPathTemplate": "/x/{id}"}, \#(Self.twice), "per": "path.id"}"#)
        let stub = try #require(mock.session.state.withLock { $0.stubs.all.first })
        let use = try #require(stub.lifecycle?.use)
        for value in 0..<15_000 { use.setPosition(1, of: Array("v\(value)".utf8), sent: 0) }
        #expect(try texts(mock, [("/x/v0", []), ("/x/v14999", [])]) == ["2", "2"])
        #expect(mock.log.warnings.withLock { $0 }.isEmpty)
        for value in 15_000..<30_001 { use.setPosition(1, of: Array("v\(value)".utf8), sent: 0) }
        #expect(try texts(mock, [("/x/v1", []), ("/x/v2", []), ("/x/v30000", [])]) == ["1", "1", "2"])
        #expect(
            mock.log.warnings.withLock { $0 } == [
                "ANY /x/{id}: its sequence has seen more than 10000 values of path.id: those that came first are "
                    + "forgotten, and begin anew"
            ])
    }
}

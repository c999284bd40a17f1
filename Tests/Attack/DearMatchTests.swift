import Foundation
import JSON
import TestSupport
import Testing

/// Requests that are dear to match: they get an answer that says so, and keep nobody waiting.
@Suite(.serialized) struct DearMatchTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A pattern of a request to `/attacked`, as JSON members.
        let pattern: String
        var stubs = 1
        var contentType = "text/plain"
        let body: String
        /// A name that the refusal says; nil where the request is within its budget.
        var blamed: String?
    }

    private static let runaway = "(a+)+$"
    private static let text = String(repeating: "a", count: 40) + "b"

    static let attacks: [Attack] = [
        Attack(
            testDescription: "a thousand stubs with a runaway expression",
            pattern: #""bodyPatterns": [{"matches": "\#(runaway)"}]"#, stubs: 1_000, body: text, blamed: runaway),
        Attack(
            testDescription: "five thousand form values",
            pattern: #""formParameters": {"a": {"matches": "\#(runaway)"}}"#,
            contentType: "application/x-www-form-urlencoded",
            body: (0..<5_000).map { _ in "a=" + text }.joined(separator: "&"), blamed: runaway),
        Attack(
            testDescription: "a back-reference on a megabyte",
            pattern: #""bodyPatterns": [{"matches": "(.*)\\1[bc]"}]"#,
            body: String(repeating: "x", count: 1_000_000), blamed: #"(.*)\1[bc]"#),
        Attack(
            testDescription: "ten thousand JSON nodes",
            pattern: #""bodyPatterns": [{"matchesJsonPath": "$..[?(@.a =~ /\#(runaway)/)]"}]"#,
            contentType: "application/json",
            body: "[" + (0..<10_000).map { _ in #"{"a":"\#(text)"}"# }.joined(separator: ",") + "]"),
        Attack(
            testDescription: "eighty thousand attributes in one element",
            pattern: #""bodyPatterns": [{"matchesXPath": "//b"}]"#, contentType: "application/xml",
            body: "<a " + (0..<80_000).map { "a\($0)='1'" }.joined(separator: " ") + "/>"),
        Attack(
            testDescription: "members under forty levels of anyOf",
            pattern: #""bodyPatterns": [{"matchesJsonSchema": \#(JSONValue.string(schema(40)).compactText)}]"#,
            contentType: "application/json",
            body: "{" + (0..<1_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"),
    ]

    private static func schema(_ depth: Int) -> String {
        (0..<depth).reduce(#"{"additionalProperties": {"type": "string"}}"#) { inner, _ in
            #"{"anyOf": [\#(inner), {"additionalProperties": {"type": "string"}}]}"#
        }
    }

    @Test(arguments: attacks) func keepsNobodyWaiting(_ attack: Attack) throws {
        let stub = #"{"request": {"urlPath": "/attacked", \#(attack.pattern)}, "response": {"status": 202}}"#
        let stubs = Array(repeating: stub, count: attack.stubs).joined(separator: ",")
        let daemon = try Daemon(files: ["mappings/a.json": #"{"mappings": [\#(stubs)]}"#])
        #expect(try daemon.get("/none").status == 404)

        let client = try RawClient(port: daemon.port)
        let head = "POST /attacked HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: \(attack.contentType)\r\n"
        try client.send(head + "Content-Length: \(attack.body.utf8.count)\r\n\r\n" + attack.body)
        let isOver = Locked(false)
        let longest = Locked(Duration.zero)
        let port = daemon.port
        try withBackgroundWork {
            let wait = try Self.longestWait(port, until: isOver)
            longest.withLock { $0 = wait }
        } during: {
            defer { isOver.withLock { $0 = true } }
            let answer = try #require(HTTPAnswer(client.receiveAll(within: 120_000).bytes), "no answer to \(attack)")
            guard let blamed = attack.blamed else {
                #expect([202, 404, 500].contains(answer.status), "\(answer.text.prefix(500))")
                return
            }
            #expect(answer.status == 500 && answer.text.contains(blamed), "\(answer.text.prefix(500))")
            #expect(answer.text.contains("--match-budget"), "\(answer.text.prefix(500))")
        }
        let wait = longest.withLock { $0 }
        print("\(attack.testDescription): a second client waited for \(wait) at the most")
        #expect(wait < .milliseconds(1_000), "a second client waited for \(wait)")
    }

    /// The longest time that a second client, who asks every few milliseconds, waits for an answer.
    private static func longestWait(_ port: UInt16, until isOver: Locked<Bool>) throws -> Duration {
        let client = try KeptConnection(port: port)
        let clock = ContinuousClock()
        var longest = Duration.zero
        while !isOver.withLock({ $0 }) {
            let begin = clock.now
            _ = try client.request("GET", "/__admin/health")
            longest = max(longest, clock.now - begin)
            usleep(5_000)
        }
        return longest
    }
}

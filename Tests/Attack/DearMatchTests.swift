import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Requests that are dear to match or to report: they get an answer that says so, keep nobody waiting, and take little
/// memory.
@Suite(.serialized) struct DearMatchTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A pattern of a request to `/attacked`, as JSON members.
        let pattern: String
        var stubs = 1
        var contentType = "text/plain"
        let body: @Sendable () -> [UInt8]
        /// A name that the refusal says; nil where the request is within its budget.
        var blamed: String?
        /// The statuses that are right for a request within its budget.
        var statuses = [202, 404, 500]
    }

    private static let runaway = "(a+)+$"
    private static let text = String(repeating: "a", count: 40) + "b"

    static let attacks: [Attack] = [
        Attack(
            testDescription: "a thousand stubs with a runaway expression",
            pattern: #""bodyPatterns": [{"matches": "\#(runaway)"}]"#, stubs: 1_000, body: { Array(text.utf8) },
            blamed: runaway),
        Attack(
            testDescription: "five thousand form values",
            pattern: #""formParameters": {"a": {"matches": "\#(runaway)"}}"#,
            contentType: "application/x-www-form-urlencoded", body: { list(5_000, "a=" + text, between: "&") },
            blamed: runaway),
        Attack(
            testDescription: "a back-reference on a megabyte",
            pattern: #""bodyPatterns": [{"matches": "(.*)\\1[bc]"}]"#,
            body: { Array(repeating: 0x78, count: 1_000_000) },
            blamed: #"(.*)\1[bc]"#),
        Attack(
            testDescription: "five megabytes with what is looked for at the end",
            pattern: #""bodyPatterns": [{"matches": ".*foo.*"}]"#,
            body: { Array(repeating: 0x78, count: 5 << 20) + Array("foo".utf8) }, statuses: [202]),
        Attack(
            testDescription: "ten thousand JSON nodes",
            pattern: #""bodyPatterns": [{"matchesJsonPath": "$..[?(@.a =~ /\#(runaway)/)]"}]"#,
            contentType: "application/json", body: { list(10_000, #"{"a":"\#(text)"}"#, in: "[", "]") }),
        Attack(
            testDescription: "ten thousand placeholders with a runaway expression",
            pattern: #""bodyPatterns": [{"equalToJson": \#(placeholders(10_000))}]"#, contentType: "application/json",
            body: { list(10_000, "\"\(text)\"", in: "[", "]") }),
        Attack(
            testDescription: "ten thousand texts of XML",
            pattern: #""bodyPatterns": [{"matchesXPath": {"expression": "//a/text()", "matches": "\#(runaway)"}}]"#,
            contentType: "application/xml", body: { list(10_000, "<a>\(text)</a>", between: "", in: "<r>", "</r>") }),
        Attack(
            testDescription: "a long text that is nearly in a longer one",
            pattern: #""bodyPatterns": [{"matchesXPath": "//a[contains(., /r/n)]"}]"#, contentType: "application/xml",
            body: {
                let a = String(repeating: "a", count: 250_000)
                return Array("<r><n>\(a)b</n><a>\(a)\(a)</a></r>".utf8)
            }),
        Attack(
            testDescription: "eighty thousand attributes in one element",
            pattern: #""bodyPatterns": [{"matchesXPath": "//b"}]"#, contentType: "application/xml",
            body: { Array(("<a " + (0..<80_000).map { "a\($0)='1'" }.joined(separator: " ") + "/>").utf8) }),
        Attack(
            testDescription: "fifty megabytes of small elements",
            pattern: #""bodyPatterns": [{"matchesXPath": "//b"}]"#, contentType: "application/xml",
            body: { list(50 << 18, "<a/>", between: "", in: "<r>", "</r>") }, blamed: "tags and attributes"),
        Attack(
            testDescription: "members under forty levels of anyOf",
            pattern: #""bodyPatterns": [{"matchesJsonSchema": \#(JSONValue.string(schema(40)).compactText)}]"#,
            contentType: "application/json",
            body: { Array(("{" + (0..<1_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}").utf8) }),
        Attack(
            testDescription: "a report on thirty megabytes",
            pattern: #""bodyPatterns": [{"equalTo": "short"}]"#, body: { list(3 << 20, "ten bytes") }, statuses: [404]),
    ]

    private static func list(
        _ count: Int, _ element: String, between: String = "\n", in start: String = "", _ end: String = ""
    ) -> [UInt8] {
        let between = start == "[" ? "," : between
        return Array((start + String(repeating: element + between, count: count - 1) + element + end).utf8)
    }

    /// A list of placeholders, as the text of a JSON string.
    private static func placeholders(_ count: Int) -> String {
        let list =
            "[" + Array(repeating: #""${json-unit.regex}\#(runaway)""#, count: count).joined(separator: ",") + "]"
        return JSONValue.string(list).compactText
    }

    private static func schema(_ depth: Int) -> String {
        (0..<depth).reduce(#"{"additionalProperties": {"type": "string"}}"#) { inner, _ in
            #"{"anyOf": [\#(inner), {"additionalProperties": {"type": "string"}}]}"#
        }
    }

    /// Unbounded, each of them takes more than ten seconds. A build without optimization decodes thirty megabytes of
    /// text for a second.
    @Test(arguments: attacks) func keepsNobodyWaiting(_ attack: Attack) throws {
        let stub = #"{"request": {"urlPath": "/attacked", \#(attack.pattern)}, "response": {"status": 202}}"#
        let stubs = Array(repeating: stub, count: attack.stubs).joined(separator: ",")
        let daemon = try Daemon(files: ["mappings/a.json": #"{"mappings": [\#(stubs)]}"#])
        #expect(try daemon.get("/none").status == 404)

        let body = attack.body()
        let client = try RawClient(port: daemon.port)
        let wait = try SecondClient.longestWait(at: daemon.port, attack.testDescription) { () throws in
            let head =
                "POST /attacked HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: \(attack.contentType)\r\n"
            try client.send(Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
            let answer = try #require(HTTPAnswer(client.receiveAll(within: 120_000).bytes), "no answer to \(attack)")
            guard let blamed = attack.blamed else {
                #expect(attack.statuses.contains(answer.status), "\(answer.status) \(answer.text.prefix(500))")
                return
            }
            #expect(answer.status == 500 && answer.text.contains(blamed), "\(answer.text.prefix(500))")
            if blamed == Self.runaway { #expect(answer.text.contains("--match-budget"), "\(answer.text.prefix(500))") }
        }
        SecondClient.expectShort(wait, below: body.count > 1 << 20 ? .seconds(6) : .seconds(2))
        daemon.expectPeakMemory(below: 400 << 20, attack.testDescription)
    }
}

import Foundation
import SDPlatform
import SDTestSupport
import Testing

/// Requests that are dear to match, to answer or to report: they get an answer that says so, keep nobody waiting, and take little
/// memory.
@Suite(.serialized) struct ExpensiveMatchTests {
    /// An attack of `expensive_matches.json`, which the soak reads too.
    struct Attack: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        /// A pattern of a request to `/attacked`, as JSON members.
        let pattern: [Part]
        let body: [Part]
        /// The members of the response; its status by default.
        let response: String?
        /// How many stubs have the pattern; one by default.
        let stubs: Int?
        /// Plain text by default.
        let contentType: String?
        /// Whether the body is sent as gzip.
        let isGzip: Bool?
        /// A name that the refusal says; nil where the request is within its budget.
        let blamed: String?
        /// The statuses that are right for a request within its budget.
        let statuses: [Int]?

        var testDescription: String { name }
    }

    /// A part of a text: as it is, or many times, where `#` stands for the number.
    struct Part: Decodable, Sendable {
        let text: String
        let times: Int?
        let between: String?

        fileprivate func write(to bytes: inout [UInt8]) {
            guard let times else {
                bytes += text.utf8
                return
            }
            let between = between ?? ""
            // Much faster in a build without optimization.
            guard text.contains("#") else {
                bytes += (text + String(repeating: between + text, count: times - 1)).utf8
                return
            }
            for number in 0..<times {
                bytes += ((number > 0 ? between : "") + text.replacing("#", with: String(number))).utf8
            }
        }
    }

    private static let runaway = "(a+)+$"

    static var attacks: [Attack] {
        get throws {
            try JSONDecoder().decode([Attack].self, from: PackageFiles.data("Tests/Attack/expensive_matches.json"))
        }
    }

    private static func bytes(_ parts: [Part]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts { part.write(to: &bytes) }
        return bytes
    }

    /// Unbounded, each of them takes more than ten seconds. A build without optimization decodes thirty megabytes of
    /// text for a second.
    @Test(arguments: try attacks) func keepsNobodyWaiting(_ attack: Attack) throws {
        let pattern = String(decoding: Self.bytes(attack.pattern), as: UTF8.self)
        let response = attack.response ?? #""status": 202"#
        let stub = #"{"request": {"urlPath": "/attacked", \#(pattern)}, "response": {\#(response)}}"#
        let stubs = Array(repeating: stub, count: attack.stubs ?? 1).joined(separator: ",")
        let daemon = try Daemon(files: ["mappings/a.json": #"{"mappings": [\#(stubs)]}"#])
        #expect(try daemon.get("/none").status == 404)

        var body = Self.bytes(attack.body)
        if attack.isGzip == true { body = try #require(gzipped(body[...])) }
        let client = try RawClient(port: daemon.port)
        let begin = ContinuousClock.now
        let wait = try ProbeClient.longestWait(at: daemon.port, attack.testDescription) { () throws in
            let type = attack.contentType ?? "text/plain"
            let head = "POST /attacked HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: \(type)\r\n"
            try client.send(Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
            let answer = try #require(HTTPAnswer(client.receiveAll(within: 120_000).bytes), "no answer to \(attack)")
            let shown = "\(answer.status) \(answer.text.prefix(500))"
            guard let blamed = attack.blamed else {
                #expect((attack.statuses ?? [202, 404, 500]).contains(answer.status), "\(shown)")
                return
            }
            #expect(answer.status == 500 && answer.text.contains(blamed), "\(shown)")
            if blamed == Self.runaway { #expect(answer.text.contains("--match-budget"), "\(shown)") }
        }
        // Whoever waits for a loop that matches waits for nearly all of it, however busy the machine is.
        let took = ContinuousClock.now - begin
        ProbeClient.expectShort(wait, below: max(.seconds(8), took / 2))
        daemon.expectPeakMemory(below: 400 << 20, attack.testDescription)
    }
}

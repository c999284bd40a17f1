import Foundation
import SDPlatform
import Testing

@testable import SDServing

@Suite struct LogTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// The text that `body` writes to a log.
    private func written(_ format: Log.Format, threshold: Log.Level = .info, _ body: (Log) -> Void) throws -> String {
        do {
            let file = try SystemCalls.open(temporary.at("log"), .createNew)
            let log = Log(format: format, threshold: threshold, descriptor: file.number)
            body(log)
            log.flush(milliseconds: 30_000)
        }
        return try temporary.read("log")
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_123, "2000-02-29T00:00:00.123Z"),
            (1_795_254_606_647, "2026-11-21T09:50:06.647Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_735_689_599_000, "2024-12-31T23:59:59.000Z"),
        ] as [(Int64, String)])
    func aTimeIsShownInUTC(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (120, "1970-01-01T00:00:00.12Z"), (100, "1970-01-01T00:00:00.1Z"),
            (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"), (60_010, "1970-01-01T00:01:00.01Z"),
        ] as [(Int64, String)])
    func theShortestFormHasNoZerosAtItsEnd(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).shortest == text)
    }

    @Test func aLineOfTextHasTimeLevelMessageAndFields() {
        let line = Log.line(
            .text, Timestamp(milliseconds: 0), .warning, "port taken",
            [LogField("port", 8080), LogField("by", "an other"), LogField("pid", .null)])
        #expect(line == "1970-01-01T00:00:00.000Z warning: port taken (port=8080 by=\"an other\" pid=null)\n")
    }

    @Test func aLineOfJSONIsOneObject() throws {
        let text = "quote \" back \\ tab \t line \n bell \u{7} c1 \u{9b} é 😀 \u{2028}"
        let line = Log.line(
            .json, Timestamp(milliseconds: 0), .error, text,
            [LogField("n", 1), LogField("d", .decimal(0.5)), LogField("list", .list(["a", .bool(true), .null]))])
        #expect(line.hasSuffix("\n") && line.split(separator: "\n").count == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["message"] as? String == text)
        #expect(object["level"] as? String == "error")
        #expect(object["time"] as? String == "1970-01-01T00:00:00.000Z")
        let fields = try #require(object["fields"] as? [String: Any])
        #expect(fields["n"] as? Int == 1)
        #expect(fields["d"] as? Double == 0.5)
        #expect((fields["list"] as? [Any])?.count == 3)
    }

    @Test func noInputForgesALine() {
        let line = Log.line(
            .text, Timestamp(milliseconds: 0), .info, "one\n1970 error: two\u{1b}[2J", [LogField("a", "x\ny=z")])
        #expect(line == "1970-01-01T00:00:00.000Z info: one\n    1970 error: two\\u{1b}[2J (a=\"x\\ny=z\")\n")
    }

    @Test func noInputTurnsTheDirectionOfALine() {
        let line = Log.line(
            .text, Timestamp(milliseconds: 0), .info, "a\u{202e}b\u{2066}c", [LogField("d", "\u{200f}e")])
        #expect(line == #"1970-01-01T00:00:00.000Z info: a\u{202e}b\u{2066}c (d="\u200fe")"# + "\n")
    }

    @Test(arguments: [Log.Format.text, .json]) func noInputMakesALineWithoutEnd(format: Log.Format) {
        let long = String(repeating: "x", count: 100_000)
        let line = Log.line(
            format, Timestamp(milliseconds: 0), .info, long, [LogField("url", .string(long)), LogField("n", 1)])
        #expect(line.utf8.count < 17_000)
        #expect(line.contains("xx… (91808 more bytes)"))
        let many = Log.line(
            format, Timestamp(milliseconds: 0), .info, String(repeating: "line\n", count: 100_000), [])
        #expect(many.utf8.count < 17_000)
    }

    @Test func linesBelowTheThresholdAreNotWritten() throws {
        let text = try written(.text, threshold: .warning) { log in
            log.debug("d")
            log.info("i")
            log.warning("w")
            log.error("e", LogField("code", 98))
        }
        let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1)[1] }
        #expect(lines == ["warning: w", "error: e (code=98)"])
    }

    @Test func linesOfSeveralThreadsNeverMix() throws {
        let text = try written(.json) { log in
            let threads = (0..<4).compactMap { number in
                try? SystemThread(name: "log") {
                    for _ in 0..<200 { log.info(String(repeating: "\(number)", count: 300)) }
                }
            }
            for thread in threads { thread.join() }
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 800)
        #expect(lines.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) != nil })
    }

    @Test(arguments: [
        (
            RequestRecord(
                method: "GET", target: "/path", status: 200, bytes: 123, duration: .microseconds(451), stub: "name"),
            #"GET /path 200 123 bytes 0.4 ms stub "name""#
        ),
        (
            RequestRecord(
                method: "PUR\nGE", target: "/\u{1b}", status: nil, bytes: 0, duration: .seconds(2), stub: nil,
                ending: "CONNECTION_RESET_BY_PEER"),
            #"PUR\nGE /\u{1b} - 0 bytes 2000.0 ms no stub CONNECTION_RESET_BY_PEER"#
        ),
        (
            RequestRecord(
                method: "GET", target: "/a", status: 404, bytes: 9, duration: .zero, stub: nil, session: "s1-k2f9qm"),
            "GET /a 404 9 bytes 0.0 ms no stub session s1-k2f9qm"
        ),
    ])
    func aRequestTakesOneLine(record: RequestRecord, line: String) throws {
        #expect(record.text == line)
        let text = try written(.text, threshold: .error) { $0.request(record) }
        #expect(text.hasSuffix(" \(line)\n"))
    }

    @Test func aRequestInJSONHasItsPartsAsFields() throws {
        let record = RequestRecord(
            method: "GET", target: "/a", status: 404, bytes: 9, duration: .milliseconds(1.25), stub: nil)
        let line = try written(.json) { $0.request(record) }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let fields = try #require(object["fields"] as? [String: Any])
        #expect(object["message"] as? String == "request")
        #expect(fields["status"] as? Int == 404)
        #expect(fields["milliseconds"] as? Double == 1.2)
        #expect(fields["stub"] is NSNull)
        #expect(fields["session"] is NSNull)
    }
}

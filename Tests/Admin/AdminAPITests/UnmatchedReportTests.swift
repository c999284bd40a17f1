import Foundation
import SDJSON
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// The report on an unmatched request equals WireMock 3.13.2's byte for byte, as recorded by
/// `Tools/oracle/record_reports.py`.
@Suite struct UnmatchedReportTests {
    struct Recorded: Sendable, CustomTestStringConvertible {
        let number: Int
        let stubs: [JSONValue]
        let request: [UInt8]
        let head: String
        let report: String

        /// The expected report: WireMock prints the identity of a byte array where this project prints the bytes in
        /// Base64, and control characters as they are.
        var expected: String {
            withBase64.split(separator: "\n", omittingEmptySubsequences: false).map(Self.escaped).joined(
                separator: "\n")
        }

        private static func escaped(_ line: Substring) -> String {
            let line = String(line)
            let shown = line.replacing("\u{1}", with: "\\u0001").replacing("\u{2}", with: "\\u0002")
            guard shown != line, let mark = shown.firstRange(of: " <<<<<")?.lowerBound else { return shown }
            let text = String(shown[..<mark])
            let blanks = text.reversed().prefix { $0 == " " }.count
            return String(text.dropLast(min(blanks, shown.count - line.count))) + String(shown[mark...])
        }

        private var withBase64: String {
            guard let place = report.firstRange(of: "[B@") else { return report }
            let shown = Base64.encode(body)
            let hash = report[place.lowerBound...].prefix { !$0.isWhitespace }
            let gap = report[hash.endIndex...].prefix { $0 == " " }
            let padding = String(repeating: " ", count: max(hash.count + gap.count - shown.count, 0))
            return report[..<place.lowerBound] + shown + padding + report[gap.endIndex...]
        }

        /// Whether the answer has to be WireMock's. Excluded are requests that WireMock answers differently or fails on,
        /// clients that get JSON from this project, and reports in which WireMock shows an equal body as different.
        var isToBeEqual: Bool {
            head.hasPrefix("HTTP/1.1 404") && !acceptsJSON && !showsEqualBody && !showsBytesAtLength
        }

        var showsEqualBody: Bool { (351...352).contains(number) || (357...360).contains(number) }

        /// Whether Base64 takes more lines than the identity of a byte array, which takes one.
        var showsBytesAtLength: Bool { report.contains("[B@") && !(1...40).contains(body.count) }

        var acceptsJSON: Bool { String(decoding: request, as: UTF8.self).contains("Accept: application/json") }

        private var body: ArraySlice<UInt8> {
            let blank = Array("\r\n\r\n".utf8)
            let end = request.indices.first { request[$0...].starts(with: blank) } ?? request.endIndex
            return request[end...].dropFirst(blank.count)
        }

        var testDescription: String { "\(number): \(stubs.map(\.compactText).joined(separator: " "))" }
    }

    static let cases: [Recorded] = {
        let file = PackageFiles.url("Tests/Oracle/reports.json")
        guard let data = try? Data(contentsOf: file), let json = try? JSONValue(parsing: data) else { return [] }
        return (json["cases"]?.arrayValue ?? []).enumerated().map { number, recorded in
            Recorded(
                number: number, stubs: recorded["stubs"]?.arrayValue ?? [],
                request: (recorded["request"]?.stringValue ?? "").unicodeScalars.map {
                    UInt8(truncatingIfNeeded: $0.value)
                },
                head: recorded["head"]?.stringValue ?? "", report: recorded["report"]?.stringValue ?? "")
        }
    }()

    @Test func theRecordingHoldsEnoughReports() {
        #expect(Self.cases.count > 350)
        #expect(Self.cases.count(where: \.isToBeEqual) > 300)
    }

    @Test(arguments: cases.filter(\.isToBeEqual))
    func readsAsWireMocksDoes(recorded: Recorded) throws {
        let mock = try TestMock()
        for stub in recorded.stubs { try mock.session.add(StubMapping(json: stub)) }
        let client = try RawClient(port: mock.port)
        try client.send(recorded.request)
        let answer = try Exchange(client.receiveAll(), isHead: false)
        #expect(answer.status == 404)
        #expect(String(decoding: answer.body, as: UTF8.self) == recorded.expected)
    }

    /// What a client sends does not steer the terminal of whoever reads the report.
    @Test(arguments: [
        ("a\u{1b}[31mb", "a\\u001b[31mb"), ("a\rb", "a\\rb"), ("a\u{7f}\u{9b}b\0", "a\\u007f\\u009bb\\u0000"),
        ("a\tb é", "a\tb é"),
    ])
    func controlCharactersAreEscaped(body: String, shown: String) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/t", "bodyPatterns": [{"equalTo": "z"}]}}"#)
        let answer = try Exchange(mock.port, "POST", "/t", body: body)
        #expect(answer.status == 404 && answer.text.contains("| \(shown)\n"), "\(answer.text)")
        let isPlain = answer.text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value)
        }
        #expect(isPlain)
        let lines = try Exchange(mock.port, "POST", "/t", body: "one\r\ntwo\nthree")
        #expect(lines.text.contains("| one") && !lines.text.contains("\\r"), "\(lines.text)")
    }

    /// Every line is filled up to the middle: a body of line ends must not become a hundred times as large.
    @Test(arguments: [
        ("\n", 1_000_000, "119", 4_000_000), ("\n", 1_000_000, "100000000", 4_000_000),
        ("x\r\n", 300_000, "12", 4_000_000),
        ("x y ", 250_000, "119", 6_000_000),
    ])
    func aBodyOfManyLinesGivesAReportOfItsSize(part: String, count: Int, width: String, limit: Int) throws {
        let body = "a" + String(repeating: part, count: count) + "b"
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/t", "bodyPatterns": [{"equalTo": "z"}]}}"#)
        let answer = try Exchange(
            mock.port, "POST", "/t", headers: [("X-WireMock-Console-Width", width)], body: body)
        #expect(answer.status == 404)
        #expect(answer.body.count < limit, "\(answer.body.count) bytes")
        if body.contains("\n\n") { #expect(answer.text.contains(" more lines\n")) }
    }

    /// The orders are those of WireMock 3.13.2.
    @Test(arguments: [
        (["Accept", "X-A", "Content-Type"], ["Authorization", "Accept", "X-A", "Content-Type"]),
        (["Zebra", "apple"], ["Authorization", "Zebra", "apple"]), (["B", "Zz"], ["Zz", "Authorization", "B"]),
        (["A"], ["Authorization", "A"]),
    ])
    func headersBesideBasicAuthenticationAreOrderedAsInWireMocksHashTable(names: [String], expected: [String]) throws {
        let mock = try TestMock()
        let headers = names.map { #""\#($0)": {"equalTo": "1"}"# }.joined(separator: ", ")
        try mock.add(
            #"{"request": {"url": "/t", "headers": {\#(headers)}, "basicAuth": {"username": "u", "password": "p"}}}"#)
        let report = String(decoding: try Exchange(mock.port, "GET", "/t").body, as: UTF8.self)
        let places = try expected.map { name in
            let row = name == "Authorization" ? "\nAuthorization [" : "\n\(name): "
            return try #require(report.firstRange(of: row)?.lowerBound, "\(report)")
        }
        #expect(places == places.sorted(), "\(report)")
    }
}

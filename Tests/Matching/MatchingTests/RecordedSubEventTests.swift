import Foundation
import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

/// Notes of matchers equal the sub-events of WireMock 3.13.2, recorded by `Tools/oracle/record_sub_events.py`.
@Suite struct RecordedSubEventTests {
    private struct Recorded {
        let stubs: [CompiledPattern]
        let body: String
        let matches: Bool
        let subEvents: [(type: String, text: String)]
        let text: String
    }

    @Test func verdictsAreWireMocks() throws {
        for recorded in try Self.recorded() {
            #expect(Self.match(recorded).matches == recorded.matches, "\(recorded.text)")
        }
    }

    @Test func subEventsHaveWireMocksTextAndNumber() throws {
        var count = 0
        for recorded in try Self.recorded() where !Self.isOurs(recorded) {
            let notes = Self.match(recorded).notes
            let expected = recorded.subEvents.map(\.type)
            #expect(notes.map(\.kind.rawValue) == expected, "\(notes.map(\.message)) for \(recorded.text)")
            for (note, theirs) in zip(notes, recorded.subEvents) {
                #expect(Self.says(note.message, theirs.text), "\(note.message) for \(recorded.text)")
                count += 1
            }
        }
        #expect(count > 350)
    }

    @Test(arguments: [#""//a[=""#, #"{"expression": "//a[=", "equalTo": "1"}"#])
    func anInvalidXPathIsNamed(operand: String) throws {
        let pattern = try RequestPattern(
            json: JSONValue(parsing: #"{"bodyPatterns": [{"matchesXPath": \#(operand)}]}"#))
        let notes = Self.match(
            Recorded(stubs: [try CompiledPattern(pattern)], body: "<b/>", matches: false, subEvents: [], text: "")
        ).notes
        #expect(notes.map(\.kind) == [.warning])
        #expect(notes.first?.message.contains("failed to evaluate the XPath expression //a[=") == true)
    }

    /// Whether two messages agree: a sentence of this project's may follow WireMock's, and a long document is
    /// shortened.
    private static func says(_ ours: String, _ theirs: String) -> Bool {
        if JSONComplaint.isOne(theirs) { return JSONComplaint.isExplained(ours) }
        if ours == theirs || ours.hasPrefix(theirs + "\n") { return true }
        guard theirs.utf8.count > 500, let cut = ours.firstIndex(of: "…") else { return false }
        return theirs.hasPrefix(ours[..<cut])
    }

    /// Whether this project has another message on purpose.
    private static func isOurs(_ recorded: Recorded) -> Bool {
        // WireMock reads the first value of a text and ignores the rest; here such a text is not JSON.
        let goesOn = [#"{"a":1}}"#, #"{"a":1} x"#, "[1]]", "1 2"]
        // WireMock's reader of JSONPath ignores what is between a text and the comma after it.
        let overlooked = [#"["a"b]"#]
        // WireMock does not say why a text found by a path is not XML.
        return (goesOn + overlooked).contains(recorded.body) || recorded.text.contains(#"","equalToXml":"#)
    }

    private static func match(_ recorded: Recorded) -> (matches: Bool, notes: [MatchNote]) {
        let request = TestRequest(
            "POST", "/t", headers: [("Content-Type", "text/plain; charset=utf-8")], body: recorded.body.utf8)
        var views = RequestViews(request)
        let matches = recorded.stubs.reversed().contains { $0.matches(request, &views) }
        return (matches, views.notes)
    }

    private static func recorded() throws -> [Recorded] {
        let file = PackageFiles.url("Tests/Oracle/sub_events.json")
        let json = try JSONValue(parsing: Data(contentsOf: file))
        let bodies = try #require(json["bodies"]?.arrayValue)
        let cases = try #require(json["cases"]?.arrayValue)
        #expect(cases.count > 1_500)
        return try cases.map { recorded in
            let body = bodies[recorded["body"]?.intValue ?? 0].stringValue ?? ""
            let stubs = recorded["stubs"] ?? []
            return Recorded(
                stubs: try (stubs.arrayValue ?? []).map { try CompiledPattern(RequestPattern(json: $0)) }, body: body,
                matches: recorded["matches"]?.boolValue == true,
                subEvents: (recorded["subEvents"]?.arrayValue ?? []).map {
                    ($0[0]?.stringValue ?? "", $0[1]?.stringValue ?? "")
                },
                text: "\(stubs.compactText) on \(body.prefix(200))")
        }
    }
}

import SDJSON
import SDPlatform
import SDTestSupport
import Testing

@testable import SDJSONPath

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// WireMock 3.13.2's answers, recorded by `Tools/oracle/record_jsonpath.py`, which explains the fields.
enum Recording {
    struct Case: Sendable, CustomTestStringConvertible {
        var expression: String
        var document: String
        /// The answers; nil for an expression that WireMock refuses.
        var answers: Answers?

        var testDescription: String { key }

        /// The expression, with the document if that is small.
        var key: String { document.utf8.count > 100 ? expression : "\(expression) on \(document)" }
    }

    /// The answers; a member is nil if the server failed.
    struct Answers: Sendable, Hashable {
        var simple: Bool?
        var absent: Bool?
        var anything: Bool?
        var first: String?
        var result: String?
    }

    static let cases: [Case] = {
        guard let data = try? PackageFiles.data("Tests/Oracle/jsonpath.json"), let json = try? JSONValue(parsing: data),
            let documents = json["documents"]?.arrayValue, let cases = json["cases"]?.arrayValue
        else { return [] }
        return cases.compactMap { test in
            guard let expression = test[0]?.stringValue, let place = test[1]?.intValue,
                let document = documents[place].stringValue
            else { return nil }
            return Case(expression: expression, document: document, answers: test[2].flatMap(answers))
        }
    }()

    private static func answers(_ json: JSONValue) -> Answers? {
        guard let verdicts = json[0]?.stringValue else { return nil }
        let flags = verdicts.map { $0 == "!" ? nil : $0 == "1" }
        return Answers(
            simple: flags[0], absent: flags[1], anything: flags[2], first: json[1]?.stringValue,
            result: json[2]?.stringValue ?? json[1]?.stringValue)
    }
}

@Suite struct WireMockTests {
    @Test func theRecordingIsComplete() {
        #expect(Recording.cases.count >= 1_200)
        #expect(Recording.cases.count { $0.answers == nil } >= 50)
    }

    @Test func answersAsWireMockDoesExceptForIntendedDifferences() {
        var differing: Set<String> = []
        for test in Recording.cases {
            if let kind = Self.difference(Self.answers(to: test), test.answers) {
                differing.insert(test.key)
                if !Self.meant.contains(test.key) { print("not meant (\(kind)): \(test.key)") }
            }
        }
        #expect(differing == Self.meant)
    }

    static let meant = Set(IntendedDifferences.fromWireMock.flatMap(\.cases))

    /// The first answer that differs; nil if none does. Where the server failed, this project's answer is the better
    /// one.
    static func difference(_ ours: Recording.Answers?, _ theirs: Recording.Answers?) -> String? {
        guard let ours, let theirs else {
            return ours == nil && theirs == nil ? nil : ours == nil ? "refused" : "accepted"
        }
        if let simple = theirs.simple, simple != ours.simple { return "simple" }
        if let absent = theirs.absent, absent != ours.absent { return "absent" }
        if let anything = theirs.anything, anything != ours.anything { return "anything" }
        if let first = theirs.first, first != ours.first { return "first" }
        // For a text that cannot be read, the helper has the message, not the engine.
        let result = theirs.result.map { $0.hasPrefix("[ERROR") ? "unreadable" : $0 }
        return ours.result == result ? nil : "result"
    }

    static func answers(to test: Recording.Case) -> Recording.Answers? {
        guard let path = try? JSONPath(test.expression) else { return nil }
        let body = LenientJSON.parse(Array(test.document.utf8)[...])
        let result = body.map { printed(path.evaluate($0, missing: .null)) } ?? "unreadable"
        // WireMock takes such a body for XML and ignores it.
        guard let document = body, !test.document.hasPrefix("<") else {
            return Recording.Answers(simple: false, absent: false, anything: false, first: nil, result: result)
        }
        let candidates = path.candidates(in: document)
        return Recording.Answers(
            simple: path.matches(document), absent: candidates == nil, anything: candidates?.isEmpty == false,
            first: candidates?.first?.text, result: result)
    }

    /// The result as the template helper prints it.
    static func printed(_ evaluation: JSONPath.Evaluation) -> String {
        switch evaluation {
        case .notFound, .value(.null), .failed: ""
        case .list(let values), .value(.array(let values)): JavaText.of(element: .array(values)) ?? ""
        case .value(let value): evaluation.candidates(.unlimited)?.first?.text ?? value.compactText
        }
    }
}

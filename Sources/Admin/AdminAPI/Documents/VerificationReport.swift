import SDExplaining
import SDExplanations
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel

/// A verdict as text for a test's failure message: each expectation with its result, and the requests nearest to the
/// missing ones.
struct VerificationReport {
    /// Hides values in requests.
    let redaction: Redaction?
    private var lines: [String] = []
    private var failed = 0
    private var expectations = 0

    /// The maximum number of characters of a value.
    private static let longestValue = 200

    init(_ redaction: Redaction?) {
        self.redaction = redaction
    }

    mutating func add(_ item: VerificationResult.Item, name: String) {
        let (expectation, met, isOK) = (item.expectation, item.met, item.isOK)
        expectations += 1
        if !isOK { failed += 1 }
        let places = met.isEmpty ? "" : " (\(Self.list(met)))"
        lines.append("\(isOK ? "✓" : "✗") \(name): expected \(expectation.count), received \(met.count)\(places)")
        let pattern = redaction.redacted(redaction.redacted(expectation.pattern).json)
        lines.append("    " + Self.short(pattern.compactText))
        if item.isEvicted { lines.append("    older requests were dropped from the journal") }
        if let cannotTell = item.cannotTell { lines.append("    " + cannotTell) }
    }

    /// Adds near misses of the last added expectation.
    mutating func add(_ misses: [MissedRequest]) {
        if misses.isEmpty { lines.append("    no other request was received") }
        for miss in misses {
            lines.append("    near: \(line(miss.event))")
            for condition in redaction.redacted(miss.evaluation).failing {
                lines += Self.differences(condition).map { "        " + $0 }
            }
        }
    }

    mutating func addMissing(_ name: String, behind last: (name: String, sequence: UInt64)?, earlier: [UInt64]) {
        var line = "✗ order: \(name) was not received"
        if let last { line += " after #\(last.sequence) (\(last.name))" }
        if !earlier.isEmpty { line += ", only \(Self.list(earlier))" }
        lines.append(line)
    }

    mutating func addUnexpected(_ events: [ServeEvent], of count: Int) {
        guard count > 0 else { return }
        lines.append("✗ nothing else: \(count) unexpected")
        for event in events { lines.append("    " + line(event)) }
        if events.count < count { lines.append("    …") }
    }

    mutating func addPerhapsUnexpected(_ cannotTell: String) {
        lines.append("✗ nothing else: " + cannotTell)
    }

    func text(isVerified: Bool) -> String {
        let title =
            isVerified
            ? "verified"
            : "not verified: \(failed) of \(expectations) expectation\(expectations == 1 ? "" : "s") not met"
        return ([title] + lines).joined(separator: "\n") + "\n"
    }

    // MARK: Words

    private func line(_ event: ServeEvent) -> String {
        let method = String(decoding: event.request.method, as: UTF8.self)
        return "#\(event.sequence) \(method) \(Self.short(redaction.url(of: event.request)))"
    }

    /// The differing values; for documents, one line per difference.
    private static func differences(_ condition: PatternEvaluation.Condition) -> [String] {
        let name = condition.key.map { "\(condition.member) \($0)" } ?? condition.member
        if !condition.differences.isEmpty { return condition.differences.map { "\(name) \(short($0))" } }
        func text(_ value: JSONValue) -> String { short(value.stringValue ?? value.compactText) }
        let actual = condition.actual.isEmpty ? "nothing" : text(condition.json["actual"] ?? .null)
        return ["\(name): expected \(text(condition.expected.json)), received \(actual)"]
    }

    private static func list(_ sequences: [UInt64]) -> String {
        let shown = sequences.prefix(10).map { "#\($0)" }.joined(separator: ", ")
        return sequences.count > 10 ? shown + ", …" : shown
    }

    /// The text on one line, cut to the maximum.
    private static func short(_ text: String) -> String {
        let line = String(text.map { $0.isNewline ? " " : $0 }.prefix(longestValue))
        return line.count < text.count ? line + "…" : line
    }
}

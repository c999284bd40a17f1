import SDBasics

/// The filter of a list of exchanges: words that must all match. Never an error: unknown words are plain text.
public struct TrafficFilter: Sendable, Equatable {
    /// Context for evaluating a filter.
    public struct Surroundings: Sendable {
        /// Milliseconds since 1970.
        public var now: Int
        /// The time in microseconds above which an exchange is slow.
        public var slow: Int

        public init(now: Int, slow: Int) {
            self.now = now
            self.slow = slow
        }
    }

    /// The condition of a word.
    indirect enum Condition: Sendable, Equatable {
        case text(String)
        case method(String)
        case status(ClosedRange<Int>)
        /// A text in the outcome, such as `reset`.
        case outcome(String)
        case state(State)
        case field(Field, String)
        /// A range of times in microseconds.
        case time(ClosedRange<UInt64>)
        /// A range of sizes in bytes.
        case size(ClosedRange<UInt64>)
        case last(milliseconds: Int)
        /// A condition on headers or bodies, which rows lack.
        case unknowable
        case any([Condition])
        case not(Condition)
    }

    enum State: String, CaseIterable, Sendable {
        case unmatched, failed, fault, open, held, proxied, slow
    }

    enum Field: String, CaseIterable, Sendable {
        case path, host, stub, file, session, proto, type, gate
    }

    public let text: String
    let conditions: [Condition]
    /// Warnings about words that were not understood.
    public let warnings: [String]

    public init(_ text: String) {
        self.text = text
        var reader = TrafficFilterReader()
        conditions = reader.read(text)
        warnings = reader.warnings
    }

    public var isEmpty: Bool { conditions.isEmpty }

    /// Whether a row passes.
    public func matches(_ row: TrafficRow, _ around: Surroundings) -> Bool {
        conditions.allSatisfy { Self.holds($0, row, around) }
    }

    private static func holds(_ condition: Condition, _ row: TrafficRow, _ around: Surroundings) -> Bool {
        switch condition {
        case .text(let text):
            return [row.method, row.url, row.stub?.label, row.stub?.name, row.stub?.key, row.session?.label]
                .contains { $0?.lowercased().contains(text: text) ?? false }
        case .method(let method): return row.method == method
        case .status(let range): return row.ending?.end ?? "sent" == "sent" && row.status.map(range.contains) ?? false
        case .outcome(let text): return row.outcome.lowercased().contains(text: text)
        case .state(let state): return holds(state, row, around)
        case .field(let field, let pattern): return holds(field, pattern, row)
        case .time(let range): return row.ending.map { range.contains(UInt64(clamping: $0.microseconds)) } ?? false
        case .size(let range): return row.ending.map { range.contains(UInt64(clamping: $0.bytesSent)) } ?? false
        case .last(let milliseconds): return row.at >= around.now - milliseconds
        case .unknowable: return true
        case .any(let conditions): return conditions.contains { holds($0, row, around) }
        case .not(.unknowable): return true
        case .not(let condition): return !holds(condition, row, around)
        }
    }

    private static func holds(_ state: State, _ row: TrafficRow, _ around: Surroundings) -> Bool {
        switch state {
        case .unmatched: row.isUnmatched
        case .failed: row.isFailed
        case .fault: row.isFault
        case .open: row.isOpen
        case .held: row.isHeld
        case .proxied: row.isProxied
        case .slow: row.ending.map { $0.microseconds > around.slow } ?? false
        }
    }

    private static func holds(_ field: Field, _ pattern: String, _ row: TrafficRow) -> Bool {
        switch field {
        case .path: fits(String(row.path), pattern)
        case .host: fits(row.host, pattern)
        case .stub: fits(row.stub?.name, pattern) || fits(row.stub?.key, pattern) || fits(row.stub?.place, pattern)
        case .file: fits(row.stub?.file, pattern)
        case .session: fits(row.session?.name, pattern) || fits(row.session?.id, pattern)
        case .proto: protocolName(row).contains(text: pattern)
        case .type: fits(row.type, pattern)
        case .gate: fits(row.gate, pattern)
        }
    }

    /// `http/2.0 h2`, so that both spellings match.
    private static func protocolName(_ row: TrafficRow) -> String {
        let name = row.protocolName?.lowercased() ?? ""
        return name + (name.hasPrefix("http/2") ? " h2" : name.hasPrefix("http/1") ? " h1" : "")
    }

    /// Whether a text contains a pattern, or matches it if it has `*`.
    static func fits(_ text: String?, _ pattern: String) -> Bool {
        guard let text = text?.lowercased() else { return false }
        guard pattern.contains("*") else { return text.contains(text: pattern) }
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first), text.hasSuffix(last) else {
            return false
        }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(ofText: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.utf8.count >= last.utf8.count
    }
}

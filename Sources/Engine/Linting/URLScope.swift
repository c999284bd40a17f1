import SDMatching
import SDPlatform
import SDStubModel

/// The URLs that a pattern accepts, in a form that allows containment checks.
///
/// Expressions that are equivalent to a text or prefix, such as `/a\.json` or `/a/.*`, are treated as such.
struct URLScope {
    enum Kind: Hashable {
        /// Every URL with this prefix; all URLs if it is empty.
        case open([UInt8])
        case url([UInt8])
        case path([UInt8])
        /// The shape of a template: its text, with a byte that no text contains in place of each variable and wildcard.
        case template([UInt8])
        case expression([UInt8], isOfPath: Bool)
    }

    let kind: Kind
    /// The common prefix of all URLs.
    let prefix: [UInt8]
    /// The segments of a template without wildcards; empty for anything else.
    private let segments: [ArraySlice<UInt8>]
    /// The URL condition alone, for conditions that must be evaluated.
    private let pattern: CompiledPattern?

    static let variable: UInt8 = 0xFF
    static let wildcard: UInt8 = 0xFE
    private static let slash = UInt8(ascii: "/")
    private static let questionMark = UInt8(ascii: "?")

    init(_ url: URLPattern) {
        kind = Self.kind(of: url)
        var pattern: CompiledPattern?
        var segments: [ArraySlice<UInt8>] = []
        switch kind {
        case .open(let text), .url(let text), .path(let text): prefix = text
        case .template(let shape):
            prefix = Array(shape.prefix { $0 < Self.wildcard })
            pattern = try? CompiledPattern(RequestPattern(url: url))
            if !shape.contains(Self.wildcard) {
                segments = shape.split(separator: Self.slash, omittingEmptySubsequences: false)
            }
        case .expression:
            pattern = try? CompiledPattern(RequestPattern(url: url))
            prefix = pattern.map { Self.prefix(of: $0.place) } ?? []
        }
        self.pattern = pattern
        self.segments = segments
    }

    private static func prefix(of place: URLBucket) -> [UInt8] {
        guard case .shape(let shape) = place, case .literal(let literal) = shape.steps.first else { return [] }
        return literal
    }

    // MARK: - Reading

    private static func kind(of url: URLPattern) -> Kind {
        switch url {
        case .any: .open([])
        case .url(let text): .url(Array(text.utf8))
        case .urlPath(let text): .path(Array(text.utf8))
        case .urlPattern(let text): expression(text, isOfPath: false)
        case .urlPathPattern(let text): expression(text, isOfPath: true)
        case .urlPathTemplate(let text): template(text)
        }
    }

    private static func expression(_ text: String, isOfPath: Bool) -> Kind {
        let opaque = Kind.expression(Array(text.utf8), isOfPath: isOfPath)
        func literal(before tail: String) -> [UInt8]? {
            guard text.utf8.count >= tail.utf8.count, text.utf8.suffix(tail.utf8.count).elementsEqual(tail.utf8)
            else { return nil }
            let literal = literalBytes(text.utf8.dropLast(tail.utf8.count))
            // No path contains a `?`.
            return isOfPath && literal?.contains(questionMark) == true ? nil : literal
        }
        if let literal = literal(before: "") { return isOfPath ? .path(literal) : .url(literal) }
        if let literal = literal(before: ".*") { return .open(literal) }
        for query in ["(\\?.*)?", "(?:\\?.*)?"] where !isOfPath {
            if let literal = literal(before: query), !literal.contains(questionMark) { return .path(literal) }
        }
        return opaque
    }

    /// The text of an expression without operators; nil for others.
    private static func literalBytes(_ expression: some Sequence<UInt8>) -> [UInt8]? {
        var literal: [UInt8] = []
        var isEscaped = false
        for byte in expression {
            if isEscaped {
                // A letter or digit after a backslash is an operator; bytes beyond ASCII are not supported.
                guard byte < 0x80, !Unicode.Scalar(byte).properties.isAlphabetic, !(0x30...0x39).contains(byte)
                else { return nil }
                literal.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if "^$.|?*+()[]{}".utf8.contains(byte) {
                return nil
            } else {
                literal.append(byte)
            }
        }
        return isEscaped ? nil : literal
    }

    /// The template split like a `PathTemplate`.
    private static func template(_ text: String) -> Kind {
        let bytes = Array(text.utf8)
        var shape: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            if rest.first == UInt8(ascii: "{"), let close = rest.firstIndex(of: UInt8(ascii: "}")), close > index + 1 {
                shape.append(variable)
                index = close + 1
            } else if rest.starts(with: "**".utf8) {
                shape.append(wildcard)
                index += 2
            } else {
                shape.append(bytes[index])
                index += 1
            }
        }
        guard let first = shape.firstIndex(where: { $0 >= wildcard }) else { return .path(shape) }
        let endsOpen = shape[first] == wildcard && first == shape.count - 1
        return endsOpen && !shape[..<first].contains(questionMark) ? .open(Array(shape[..<first])) : .template(shape)
    }

    // MARK: - Comparing

    /// Whether any request can have such a URL, judging by the first byte.
    var isPossible: Bool { prefix.isEmpty || prefix.first == Self.slash || prefix.first == UInt8(ascii: "*") }

    /// Whether every URL of `other` is certainly one of these. False if uncertain.
    func covers(_ other: URLScope) -> Bool {
        switch (kind, other.kind) {
        case (.open(let start), _): other.prefix.starts(with: start)
        case (.url(let ours), .url(let theirs)): ours == theirs
        case (.path(let ours), .path(let theirs)): ours == theirs
        case (.path(let ours), .url(let theirs)): ours[...] == Self.path(of: theirs)
        case (.template(let ours), .template(let theirs)): ours == theirs || holdsSegments(of: other)
        case (.template, .url(let text)), (.template, .path(let text)): takes(text)
        case (.expression(let ours, let oursIsOfPath), .expression(let theirs, let theirsIsOfPath)):
            ours == theirs && oursIsOfPath == theirsIsOfPath
        case (.expression, .url(let text)): takes(text)
        case (.expression(_, isOfPath: true), .path(let text)): takes(text)
        default: false
        }
    }

    static func path(of url: [UInt8]) -> ArraySlice<UInt8> {
        url.prefix { $0 != questionMark }
    }

    private func takes(_ url: [UInt8]) -> Bool {
        guard let pattern else { return false }
        let probe = URLProbe(url: url[...])
        var views = RequestViews(probe)
        return pattern.matches(probe, &views)
    }

    /// Compares segment by segment: a variable that is a whole segment accepts any non-empty segment.
    private func holdsSegments(of other: URLScope) -> Bool {
        guard !segments.isEmpty, segments.count == other.segments.count else { return false }
        // The last segments are the most likely to differ.
        return zip(segments.reversed(), other.segments.reversed()).allSatisfy {
            $0 == $1 || ($0.count == 1 && $0.first == Self.variable && !$1.isEmpty)
        }
    }
}

/// A request that consists of its URL.
private struct URLProbe: MatchableRequest {
    let url: ArraySlice<UInt8>

    var method: ArraySlice<UInt8> { [0x47, 0x45, 0x54] }
    var path: ArraySlice<UInt8> { url.prefix { $0 != UInt8(ascii: "?") } }
    var query: ArraySlice<UInt8>? {
        url.firstIndex(of: UInt8(ascii: "?")).map { url[($0 + 1)...] }
    }
    var authority: ArraySlice<UInt8>? { nil }
    var body: ArraySlice<UInt8> { [] }
    var isSecure: Bool { false }
    var peer: String { "127.0.0.1" }
    var localPort: UInt16 { 80 }
    var wallTime: UInt64 { 0 }
    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {}
}

import SDMatching
import SDPlatform

/// The key under which a table files a stub: a URL, or a path prefix. Its bytes are stored elsewhere, followed by those
/// of its rule.
struct StubTableKey: Sendable {
    enum Kind: UInt8, Sendable {
        /// A whole URL or path.
        case url
        /// A path prefix.
        case prefix

        /// The hash of a key, which differs for a URL and a prefix of the same bytes.
        /// - Parameter bytes: the hash of its bytes.
        func hash(_ bytes: UInt64) -> UInt64 { self == .url ? bytes : ~bytes }
    }

    let hash: UInt64
    /// The offset of the bytes.
    var start: UInt32
    /// The number of the key's bytes.
    let length: UInt32
    /// The number of the rule's bytes after them.
    let rule: UInt32
    let kind: Kind
    /// Whether key and rule are the stub's whole URL condition. The rule is what follows a prefix.
    let isRuled: Bool

    var count: Int { Int(length) }
    var ruleCount: Int { Int(rule) }

    /// The length in bytes at which prefixes are cut; the limit keeps lookups short.
    private static var longestPrefix: Int { 256 }
    /// The byte that stands for one segment in a rule. No path that reaches a stub contains it.
    static var segment: UInt8 { 0 }

    /// Makes the key of a stub, and appends its bytes and its rule to `text`; nil for a stub that accepts any path.
    init?(_ stub: some IndexedStub, _ text: inout [UInt8]) {
        switch stub.pattern.place {
        case .url(let url), .path(let url): self.init(url: url, &text)
        case .shape(let shape): self.init(shape, isExact: stub.isShapeExact, &text)
        case .anywhere: return nil
        }
    }

    private init(url: ArraySlice<UInt8>, _ text: inout [UInt8]) {
        hash = Kind.url.hash(PathHash.value(of: url.span))
        start = UInt32(text.count)
        length = UInt32(url.count)
        rule = 0
        kind = .url
        isRuled = false
        text += url
    }

    private init(_ shape: PathShape, isExact: Bool, _ text: inout [UInt8]) {
        let prefix = Self.prefix(of: shape)
        hash = Kind.prefix.hash(PathHash.value(of: prefix.span))
        start = UInt32(text.count)
        length = UInt32(prefix.count)
        kind = .prefix
        text += prefix
        let end = text.count
        let isRuled = isExact && !shape.isOpen && Self.appendRule(shape, after: prefix.count, &text)
        if !isRuled { text.removeLast(text.count - end) }
        rule = UInt32(text.count - end)
        self.isRuled = isRuled
    }

    /// The common prefix of all paths of a shape.
    private static func prefix(of shape: PathShape) -> ArraySlice<UInt8> {
        guard case .literal(let literal) = shape.steps.first else { return [] }
        return literal.prefix(longestPrefix)
    }

    /// Appends the rest of a shape after a prefix to `text`. Returns false if a rule cannot express it.
    private static func appendRule(_ shape: PathShape, after prefix: Int, _ text: inout [UInt8]) -> Bool {
        // A prefix is the start of the first literal.
        var skipped = prefix
        for step in shape.steps {
            switch step {
            case .segment: text.append(segment)
            case .literal(let literal):
                let rest = literal.dropFirst(skipped)
                skipped = 0
                if rest.contains(segment) { return false }
                text += rest
            }
        }
        return true
    }

    /// The rest of a stub's shape after its key; nil for a stub that is filed by a URL, or accepts any path.
    static func rest(of stub: some IndexedStub) -> PathShape? {
        guard case .shape(var shape) = stub.pattern.place else { return nil }
        if case .literal(let literal) = shape.steps.first {
            let rest = Array(literal.dropFirst(prefix(of: shape).count))
            shape.steps.replaceSubrange(..<1, with: rest.isEmpty ? [] : [.literal(rest)])
        }
        return shape
    }
}

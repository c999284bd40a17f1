/// The part of the URL space in which a pattern can match; the index stores a stub there.
///
/// It includes every URL that the pattern matches, and possibly more; the pattern decides.
public enum URLBucket: Sendable, Hashable {
    /// Only this path and query.
    case url(ArraySlice<UInt8>)
    /// Only this path, with any query.
    case path(ArraySlice<UInt8>)
    case shape(PathShape)
    case anywhere
}

/// A sequence of literals and whole segments.
public struct PathShape: Sendable, Hashable {
    public enum Step: Sendable, Hashable {
        case literal([UInt8])
        /// One or more bytes up to the next `/` or the end.
        case segment
    }

    public var steps: [Step]
    /// Whether anything may follow; if not, the path ends here.
    public var isOpen: Bool

    /// The shape of paths that start with `prefix`, cut at a `?`, where the path ends.
    init(prefix: [UInt8]) {
        let path = prefix.prefix { $0 != UInt8(ascii: "?") }
        // Shares the bytes if nothing is cut off.
        steps = path.isEmpty ? [] : [.literal(path.count == prefix.count ? prefix : Array(path))]
        isOpen = true
    }

    init(_ template: PathTemplate) {
        steps = []
        isOpen = false
        var index = 0
        let tokens = template.tokens
        while index < tokens.count {
            switch tokens[index] {
            case .literal(let literal): steps.append(.literal(literal))
            case .wildcard:
                isOpen = true
                return
            case .variable:
                steps.append(.segment)
                // Everything up to the next `/` belongs to the segment.
                guard let rest = Self.restAfterSegment(tokens, &index) else {
                    isOpen = true
                    return
                }
                if !rest.isEmpty { steps.append(.literal(rest)) }
            }
            index += 1
        }
    }

    /// Skips the rest of a segment up to the token that ends it, and returns the part of that token after the segment;
    /// nil if there is a wildcard inside.
    private static func restAfterSegment(_ tokens: [PathTemplate.Token], _ index: inout Int) -> [UInt8]? {
        while index + 1 < tokens.count {
            index += 1
            switch tokens[index] {
            case .variable: continue
            case .wildcard: return nil
            case .literal(let literal):
                if let slash = literal.firstIndex(of: UInt8(ascii: "/")) { return Array(literal[slash...]) }
            }
        }
        return []
    }
}

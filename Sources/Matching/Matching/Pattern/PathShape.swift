/// Where in the space of paths a pattern can match: what an index files a stub under.
///
/// A shape takes in every path the pattern matches, and may take in more; the pattern itself still decides.
public enum URLPlace: Sendable, Hashable {
    /// This path and query only.
    case url(ArraySlice<UInt8>)
    /// This path only, with any query.
    case path(ArraySlice<UInt8>)
    case shape(PathShape)
    case anywhere
}

/// Literals and whole segments, one after the other.
public struct PathShape: Sendable, Hashable {
    public enum Step: Sendable, Hashable {
        case literal([UInt8])
        /// One or more bytes up to the next `/` or the end.
        case segment
    }

    public var steps: [Step]
    /// Anything may follow; otherwise the path ends here.
    public var isOpen: Bool

    /// Paths that begin with `prefix`, which is cut at a `?`: behind it stands no path.
    init(prefix: [UInt8]) {
        let path = prefix.prefix { $0 != UInt8(ascii: "?") }
        steps = path.isEmpty ? [] : [.literal(Array(path))]
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
                // What follows up to the next `/` is part of the segment.
                guard let rest = Self.restAfterSegment(tokens, &index) else {
                    isOpen = true
                    return
                }
                if !rest.isEmpty { steps.append(.literal(rest)) }
            }
            index += 1
        }
    }

    /// Steps over the rest of a segment, to the token that ends it, and returns what of that token stands behind the
    /// segment; nil if a wildcard stands within.
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

public import RegularExpressions

/// One request's parts as matchers want them, each decoded at most once and shared by all stubs that look.
///
/// Made once a request and handed through a match as `inout`. Making one costs no allocation; the query is decoded when the
/// first stub asks for a parameter.
public struct RequestViews {
    public let url: ArraySlice<UInt8>
    /// Where the path ends in `url`.
    private let pathEnd: Int
    /// The bit of the request's method.
    public let methodBit: MethodSet
    /// Expressions that were given up on this request (`JavaRegex.Outcome.limitReached`), for a line in the log.
    public internal(set) var exhausted: [JavaRegex] = []

    /// `url` up to the first `?`.
    public var path: ArraySlice<UInt8> { url[..<pathEnd] }
    /// What stands behind the first `?`, nil where there is none.
    public var query: ArraySlice<UInt8>? { hasQuery ? url[(pathEnd + 1)...] : nil }
    public var hasQuery: Bool { pathEnd < url.endIndex }

    private var parameters: Parameters = .undecoded

    private enum Parameters {
        case undecoded
        /// An escape in the query is broken.
        case broken
        case decoded([QueryParameter])
    }

    @inlinable
    public init(_ request: some MatchableRequest) {
        self.init(url: request.url, pathCount: request.path.count, methodBit: MethodSet(of: request.method))
    }

    @usableFromInline
    init(url: ArraySlice<UInt8>, pathCount: Int, methodBit: MethodSet) {
        self.url = url
        pathEnd = url.startIndex + pathCount
        self.methodBit = methodBit
    }

    /// The query's parameters in order, empty where there is no query, nil where an escape in it is broken.
    public mutating func queryParameters() -> [QueryParameter]? {
        if case .undecoded = parameters {
            parameters =
                switch query.map(QueryDecoding.parameters) {
                case .none: .decoded([])
                case .some(.none): .broken
                case .some(let decoded?): .decoded(decoded)
                }
        }
        if case .decoded(let decoded) = parameters { return decoded }
        return nil
    }

    mutating func match(_ regex: JavaRegex, _ subject: ArraySlice<UInt8>) -> Bool {
        switch regex.match(subject) {
        case .match: return true
        case .noMatch: return false
        case .limitReached:
            exhausted.append(regex)
            return false
        }
    }
}

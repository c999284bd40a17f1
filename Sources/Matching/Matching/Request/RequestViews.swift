import JavaTime
import RegularExpressions

/// One request's parts as matchers want them, each decoded at most once and shared by all stubs that look.
///
/// Made once a request and handed through a match as `inout`. Making one costs no allocation; the query is decoded when the
/// first stub asks for a parameter, and the body when the first stub whose head matches asks for it.
public struct RequestViews {
    public let url: ArraySlice<UInt8>
    /// Where the path ends in `url`.
    private let pathEnd: Int
    /// The bit of the request's method.
    public let methodBit: MethodSet
    /// Nanoseconds since 1970 when the request was complete.
    private let wallTime: UInt64
    /// What matchers found wrong with the request or had to give up, in order. Most requests have none.
    public internal(set) var notes: [MatchNote] = []

    /// `url` up to the first `?`.
    public var path: ArraySlice<UInt8> { url[..<pathEnd] }
    /// What stands behind the first `?`, nil where there is none.
    public var query: ArraySlice<UInt8>? { hasQuery ? url[(pathEnd + 1)...] : nil }
    public var hasQuery: Bool { pathEnd < url.endIndex }

    /// What comparisons with near misses may still cost.
    var edits = EditDistance.Allowance()

    private var parameters: Parameters = .undecoded
    private var content: RequestContent?

    private enum Parameters {
        case undecoded
        /// An escape in the query is broken.
        case broken
        case decoded([QueryParameter])
    }

    @inlinable
    public init(_ request: some MatchableRequest) {
        self.init(
            url: request.url, pathCount: request.path.count, methodBit: MethodSet(of: request.method),
            wallTime: request.wallTime)
    }

    @usableFromInline
    init(url: ArraySlice<UInt8>, pathCount: Int, methodBit: MethodSet, wallTime: UInt64) {
        self.url = url
        self.wallTime = wallTime
        pathEnd = url.startIndex + pathCount
        self.methodBit = methodBit
    }

    /// The query's parameters in order, empty where there is no query, nil where an escape in it is broken.
    public mutating func queryParameters() -> [QueryParameter]? {
        if case .undecoded = parameters {
            parameters =
                switch query.map(QueryDecoding.query.parameters) {
                case .none: .decoded([])
                case .some(.none): .broken
                case .some(let decoded?): .decoded(decoded)
                }
        }
        if case .decoded(let decoded) = parameters { return decoded }
        return nil
    }

    /// Body, form, cookies, parts and origin. `request` is the one that the views were made of.
    mutating func content(of request: some MatchableRequest) -> RequestContent {
        if let content { return content }
        let made = RequestContent(request)
        content = made
        return made
    }

    /// What dates call `now`: a request is matched by its own clock, however late it is asked about again.
    var now: Moment {
        Moment(seconds: Int(wallTime / 1_000_000_000), nanoseconds: Int(wallTime % 1_000_000_000))
    }

    mutating func match(_ regex: JavaRegex, _ subject: ArraySlice<UInt8>) -> Bool {
        switch regex.match(subject) {
        case .match: return true
        case .noMatch: return false
        case .limitReached:
            note(
                .warning,
                "The regular expression `\(regex.pattern)` was given up: it backtracks without end on this text",
                isTrouble: true)
            return false
        }
    }

    /// The same note is taken once, however many stubs say it. The message is made only for a note that there is room for.
    mutating func note(_ kind: MatchNote.Kind, _ message: @autoclosure () -> String, isTrouble: Bool = false) {
        guard notes.count < Self.mostNotes else { return }
        let note = MatchNote(kind: kind, message: message(), isTrouble: isTrouble)
        if !notes.contains(note) { notes.append(note) }
    }

    /// Drops the notes of a test whose verdict is turned round or does not count: those behind the first `count`, but for
    /// what tells of a stub that should be written otherwise.
    mutating func forgetNotes(beyond count: Int) {
        guard notes.count > count else { return }
        notes[count...].removeAll { !$0.isTrouble }
    }

    private static let mostNotes = 20
}

/// What a matcher has to say of a request beside its verdict: a sub-event of the serve event.
public struct MatchNote: Sendable, Hashable {
    /// The names of WireMock's sub-events.
    public enum Kind: String, Sendable, Hashable {
        case warning = "WARNING"
        case invalidSchema = "ERROR"
        case jsonError = "JSON_ERROR"
    }

    public let kind: Kind
    public let message: String
    /// It tells of a stub that should be written otherwise, rather than of this request.
    public let isTrouble: Bool
}

import JavaTime
import RegularExpressions

/// The parts of one request as matchers need them, each decoded at most once and shared by all stubs.
///
/// Made once per request and passed through a match as `inout`. Making one costs no allocation; the query is decoded
/// when the first stub needs a parameter, and the body when the first stub whose head matches needs it.
public struct RequestViews {
    public let url: ArraySlice<UInt8>
    /// The index in `url` at which the path ends.
    private let pathEnd: Int
    /// The bit of the request's method.
    public let methodBit: MethodSet
    /// The time at which the request was complete, in nanoseconds since 1970.
    private let wallTime: UInt64
    /// What matchers found wrong with the request or had to abandon, in order. Most requests have none.
    public internal(set) var notes: [MatchNote] = []

    /// `url` up to the first `?`.
    public var path: ArraySlice<UInt8> { url[..<pathEnd] }
    /// The text after the first `?`; nil without one.
    public var query: ArraySlice<UInt8>? { hasQuery ? url[(pathEnd + 1)...] : nil }
    public var hasQuery: Bool { pathEnd < url.endIndex }

    /// The work left for the comparison with near misses.
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

    /// The query's parameters in order; empty without a query, nil if an escape in it is broken.
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

    /// Body, form, cookies, parts and origin. `request` must be the one from which the views were made.
    mutating func content(of request: some MatchableRequest) -> RequestContent {
        if let content { return content }
        let made = RequestContent(request)
        content = made
        return made
    }

    /// The time that dates call `now`: a request is matched by its own time, however late it is matched again.
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
                "The regular expression `\(regex.pattern)` was abandoned: it backtracks without end on this text",
                isTrouble: true)
            return false
        }
    }

    /// Adds a note unless it exists: however many stubs lead to it, it is kept once. The message is made only if there
    /// is room.
    mutating func note(_ kind: MatchNote.Kind, _ message: @autoclosure () -> String, isTrouble: Bool = false) {
        guard notes.count < Self.mostNotes else { return }
        let note = MatchNote(kind: kind, message: message(), isTrouble: isTrouble)
        if !notes.contains(note) { notes.append(note) }
    }

    /// Drops the notes of a test whose verdict is negated or does not count: those after the first `count`, except
    /// notes about a stub that should be written differently.
    mutating func forgetNotes(beyond count: Int) {
        guard notes.count > count else { return }
        notes[count...].removeAll { !$0.isTrouble }
    }

    /// Drops all notes: the request is matched anew. What was decoded stays.
    public mutating func forgetNotes() {
        if !notes.isEmpty { notes = [] }
    }

    private static let mostNotes = 20
}

/// A matcher's note on a request beside its verdict: a sub-event of the serve event.
public struct MatchNote: Sendable, Hashable {
    /// The names of WireMock's sub-events.
    public enum Kind: String, Sendable, Hashable {
        case warning = "WARNING"
        case invalidSchema = "ERROR"
        case jsonError = "JSON_ERROR"
    }

    public let kind: Kind
    public let message: String
    /// Whether the note is about a stub that should be written differently, rather than about this request.
    public let isTrouble: Bool
}

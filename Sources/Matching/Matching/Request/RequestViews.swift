import SDJavaTime
public import SDPlatform
import SDRegularExpressions

/// The parts of one request for matchers, each decoded at most once and shared by all stubs.
///
/// Made once per request and passed through a match as `inout`. Making one costs no allocation; the query is decoded
/// when the first stub needs a parameter, and the body when the first stub whose head matches needs it.
public struct RequestViews {
    public let url: ArraySlice<UInt8>
    /// The index in `url` of the end of the path.
    private let pathEnd: Int
    /// The bit of the request's method.
    public var methodBit: MethodSet
    /// The meaning of `now` in dates, in nanoseconds since 1970: the time at which the request was complete, by the
    /// session's clock.
    public var wallTime: UInt64
    /// The matchers' notes about defects of the request and about abandoned work, in order. Most requests have none.
    public package(set) var notes: [MatchNote] = []

    /// `url` up to the first `?`.
    public var path: ArraySlice<UInt8> { url[..<pathEnd] }
    /// The text after the first `?`; nil without one.
    public var query: ArraySlice<UInt8>? { hasQuery ? url[(pathEnd + 1)...] : nil }
    public var hasQuery: Bool { pathEnd < url.endIndex }
    /// The number of bytes of `path`.
    public var pathCount: Int { pathEnd &- url.startIndex }

    /// The work left for comparing near misses.
    package var edits = EditDistance.Allowance()

    /// The processor time allowed for matching, in nanoseconds.
    public let budgetLimit: UInt64
    private var knownBudget: WorkBudget?
    /// The budget steps of cheap tests that are free.
    private var freeSteps = 10_000

    private var parameters: Parameters = .undecoded
    private var content: RequestContent?

    private enum Parameters {
        case undecoded
        /// A query with an invalid escape.
        case broken
        case decoded([QueryParameter])
    }

    /// - Parameter budgetLimit: the processor time allowed for matching, in nanoseconds.
    @inlinable
    public init(_ request: borrowing some MatchableRequest, budgetLimit: UInt64 = WorkBudget.standardLimit) {
        self.init(
            url: request.url, pathCount: request.pathCount, methodBit: request.methodBit,
            wallTime: request.wallTime, budgetLimit: budgetLimit)
    }

    /// - Parameter budget: the budget of the call that examines this request, among others.
    public init(_ request: some MatchableRequest, budget: WorkBudget) {
        self.init(request, budgetLimit: budget.limit)
        knownBudget = budget
    }

    /// Views without a request, for texts that are matched alone.
    public init(now: UInt64, _ budget: WorkBudget) {
        self.init(url: [], pathCount: 0, methodBit: [], wallTime: now, budgetLimit: budget.limit)
        knownBudget = budget
    }

    @usableFromInline
    init(url: ArraySlice<UInt8>, pathCount: Int, methodBit: MethodSet, wallTime: UInt64, budgetLimit: UInt64) {
        self.budgetLimit = budgetLimit
        self.url = url
        self.wallTime = wallTime
        pathEnd = url.startIndex + pathCount
        self.methodBit = methodBit
    }

    /// The query's parameters in order; empty without a query, nil if an escape in it is invalid.
    public mutating func queryParameters() -> [QueryParameter]? {
        if case .undecoded = parameters {
            parameters =
                switch query.map({ QueryDecoding.query.parameters(of: $0) }) {
                case .none: .decoded([])
                case .some(.none): .broken
                case .some(let decoded?): .decoded(decoded)
                }
        }
        if case .decoded(let decoded) = parameters { return decoded }
        return nil
    }

    /// Body, form, cookies, parts and origin. `request` must be the one from which the views were made.
    package mutating func content(of request: some MatchableRequest) -> RequestContent {
        if let content { return content }
        let made = RequestContent(request, budget)
        content = made
        return made
    }

    /// The meaning of `now` in dates: the request's time, even if it is matched again later.
    var now: Moment {
        Moment(seconds: Int(wallTime / 1_000_000_000), nanoseconds: Int(wallTime % 1_000_000_000))
    }

    mutating func match(_ regex: JavaRegex, _ subject: ArraySlice<UInt8>) -> Bool {
        regex.match(subject, budget) == .match
    }

    // MARK: - Budget

    /// The budget for matching, created when a matcher first needs it.
    public var budget: WorkBudget {
        mutating get {
            if let knownBudget { return knownBudget }
            let made = WorkBudget(limit: budgetLimit)
            knownBudget = made
            return made
        }
    }

    /// Whether the budget is exhausted; then no verdict on the request counts.
    public var isSpent: Bool { knownBudget?.isSpent ?? false }

    /// How the budget was exhausted; nil if it was not.
    public var exhaustion: BudgetExhaustion? { knownBudget?.exhaustion }

    /// Spends steps for a cheap test of a text. The first ones of a request are free and need no budget.
    /// - Returns: false if the budget is exhausted.
    mutating func spend(forTextOf count: Int) -> Bool {
        freeSteps &-= 1 &+ count / 64
        return freeSteps >= 0 || budget.spend(2 + count / 32, for: WorkBudget.Work("matchers", "of texts"))
    }

    /// Reserves time for reading a whole text, which cannot be interrupted. A short one needs no budget.
    /// - Parameter nanosecondsAByte: the minimum time per byte.
    mutating func tryReserve(_ nanosecondsAByte: Int, forTextOf count: Int) -> Bool {
        count < 1_000 || budget.tryReserve(nanosecondsAByte * count, for: WorkBudget.Work("matchers", "of texts"))
    }

    /// Attributes the latest work to a pattern.
    /// - Parameter pattern: evaluated only if there is something to attribute.
    package mutating func attribute(to pattern: @autoclosure () -> CompiledPattern) {
        if let knownBudget, knownBudget.hasUnattributed { knownBudget.attribute(to: pattern()) }
    }

    // MARK: - Notes

    /// Adds a note unless it exists, so that it is kept once for all stubs. The message is made only if there is room,
    /// at the budget's expense.
    mutating func note(_ kind: MatchNote.Kind, _ message: @autoclosure () -> String) {
        guard notes.count < Self.maxNotes, budget.spend(100, for: WorkBudget.Work("warnings", "of matchers")) else {
            return
        }
        let note = MatchNote(kind: kind, message: message())
        if !notes.contains(note) { notes.append(note) }
    }

    /// Drops the notes after the first `count`: those of a test whose verdict is negated or does not count.
    mutating func forgetNotes(beyond count: Int) {
        if notes.count > count { notes.removeLast(notes.count - count) }
    }

    /// Drops all notes before the request is matched again. Decoded parts stay.
    public mutating func forgetNotes() {
        if !notes.isEmpty { notes = [] }
    }

    private static let maxNotes = 20
}

/// A matcher's note on a request: a sub-event of the serve event.
public struct MatchNote: Sendable, Hashable {
    /// The names of WireMock's sub-events.
    public enum Kind: String, Sendable, Hashable {
        case warning = "WARNING"
        case invalidSchema = "ERROR"
        case jsonError = "JSON_ERROR"
    }

    public let kind: Kind
    public let message: String

    public init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}

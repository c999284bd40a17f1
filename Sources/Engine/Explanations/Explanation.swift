import SDAnswering
import SDBasics
public import SDExplaining
import SDHTTPMessages
public import SDJournal
import SDLinting
public import SDMatching
import SDMockEngine
import SDPlatform
public import SDReports
public import SDStubModel
import SDStubs

/// The stub or body file that would answer a request, the reason why it takes precedence over other matching stubs and,
/// if none matches, the nearest ones.
///
/// Every stub is tested: a person's query may cost milliseconds.
public struct Explanation: Sendable {
    /// The largest number of shadowed stubs in the list.
    static let maxShadowed = 100

    private let winner: CompiledStub?
    /// The conditions of the stub that would answer; nil if none would.
    public let evaluation: PatternEvaluation?
    private let shadowed: [CompiledStub]
    /// The stubs whose patterns match but that must not answer, with the reason.
    private let closed: [(stub: CompiledStub, reason: String)]
    /// The number of matching stubs over which it takes precedence.
    public let shadowedCount: Int
    /// The nearest stubs if nothing would answer.
    public let nearMisses: [NearMiss]
    /// The notes of matchers.
    public let notes: [MatchNote]
    /// The stub files with errors, if nothing would answer: one of them may have the intended stub.
    public let brokenFiles: [String]
    /// The path below `__files` of the file that would answer if no stub does.
    public let bodyFile: String?
    /// The base URL to which the request would be proxied if neither a stub nor a file answers; nil if it would not.
    public let passThrough: String?
    /// The rule that answers a CORS preflight instead of a stub; nil for any other request, and if a stub or nothing
    /// does.
    public let preflight: ExplainedPreflight?
    /// How to get an unmatched request answered other than by a stub.
    private let remedy: String?
    /// Why no stub is tried, for a path that the daemon answers itself.
    private let ownerOfPath: String?
    /// Why the winner would answer with a 500; nil if it can be served.
    public let failure: String?
    /// The stub's answer; nil without a stub, and if making it needs another server or changes something.
    public private(set) var answer: ServedResponse?

    /// - Parameter budget: the budget for matching. Once it is spent, the explanation is invalid.
    init(_ request: some TemplateRequest, _ search: NearMissSearch, of session: Session, _ budget: WorkBudget) {
        let files = session.files
        let isFile = StaticFile.isAskedFor(request)
        let path = String(decoding: request.path, as: UTF8.self)
        let isAdmin = path == "/__admin" || path.hasPrefix("/__admin/")
        let ownerOfPath: String? =
            if isFile {
                "Paths below /__files are body files, which stubs do not match"
            } else if isAdmin {
                "The admin API answers it, and stubs do not match it"
            } else {
                nil
            }
        self.ownerOfPath = ownerOfPath
        let preflight =
            ownerOfPath == nil && CORS.isPreflight(request)
            ? session.preflight(request).map { ExplainedPreflight($0, request, in: session) } : nil
        self.preflight = preflight
        let triesStubs = ownerOfPath == nil && preflight == nil
        var views = RequestViews(request, budget: budget)
        var matching: [CompiledStub] = []
        var closed: [(stub: CompiledStub, reason: String)] = []
        var states = StateView(session, request, views)
        func look(_ isWanted: (CompiledStub) -> Bool) {
            for stub in search.stubs.all where isWanted(stub) && stub.pattern.matches(request, &views) {
                let reason = stub.lifecycle.flatMap { states.skipReason($0, of: stub) }
                if let reason {
                    closed.append((stub, reason))
                } else {
                    matching.append(stub)
                }
            }
        }
        if triesStubs { look { _ in true } }
        // As for a request, see `Session.match`.
        if triesStubs, matching.isEmpty, views.methodBit == .head {
            views.methodBit = .get
            look(\.answersHead)
        }
        self.closed = closed
        winner = matching.first
        failure = matching.first.flatMap {
            BodyFileLint.startFindings(in: $0.mapping, files: files).first?.warning.message
        }
        evaluation = matching.first.map { $0.pattern.evaluate(request, &views, of: $0.mapping.request) }
        shadowed = Array(matching.dropFirst().prefix(Self.maxShadowed))
        shadowedCount = max(matching.count - 1, 0)
        let file: StaticFile? =
            if isFile {
                StaticFile(asked: request, files: files)
            } else {
                matching.isEmpty && !isAdmin && preflight == nil ? StaticFile(request, files: files) : nil
            }
        bodyFile = file?.path
        let isMissed = matching.isEmpty && file == nil && triesStubs
        passThrough = isMissed ? session.passThroughBase : nil
        remedy = isMissed ? request.preflightRemedy : nil
        brokenFiles = isMissed ? session.brokenFiles : []
        nearMisses =
            isMissed ? search.nearest(request, .differences, budget, by: .people) : []
        let method = String(decoding: request.method, as: UTF8.self)
        notes =
            views.notes
            + (RequestLint.upperCase(ofMethod: method).map { upper in
                [
                    MatchNote(
                        kind: .warning,
                        message: "methods are case-sensitive, and \(method) is not \(upper)" + didYouMean(upper)
                    )
                ]
            } ?? [])
    }

    /// Renders the answer, with a budget of its own: an explanation is useful without it.
    mutating func render(for request: some TemplateRequest, in session: Session) {
        answer = failure == nil ? winner?.preview(request, in: session) : nil
    }

    /// The stub that would answer; nil if none would.
    public var stub: (mapping: StubMapping, reference: StubReference)? {
        winner.map { ($0.currentMapping, StubReference($0)) }
    }

    /// A stub that does not answer, and why.
    public struct SkippedStub: Sendable {
        public let stub: StubReference
        public let reason: String
    }

    /// The first matching stubs over which the answering one takes precedence.
    public var shadows: [SkippedStub] {
        guard let winner else { return [] }
        return shadowed.map { SkippedStub(stub: StubReference($0), reason: why(winner, before: $0)) }
    }

    /// The first stubs whose patterns match but that must not answer.
    public var ineligible: [SkippedStub] {
        closed.prefix(Self.maxShadowed).map { SkippedStub(stub: StubReference($0.stub), reason: $0.reason) }
    }

    /// The number of stubs whose patterns match but that must not answer.
    public var ineligibleCount: Int { closed.count }

    /// Why the stub, the file or nothing answers, as text.
    public var reason: String {
        let sentOn = passThrough.map { "What nothing matches is sent on to \($0)" }
        return preflight?.reason ?? winner.map(reason)
            ?? ([noMatch] + [sentOn, remedy].compactMap(\.self)).joined(separator: ". ")
    }

    private var noMatch: String {
        if let ownerOfPath { return ownerOfPath }
        return switch closed.count {
        case 0: nearMisses.isEmpty && bodyFile == nil ? "There are no stubs" : "No stub matches"
        case 1: "The one stub whose pattern matches may not answer: " + closed[0].reason
        default:
            "The \(closed.count) stubs whose patterns match may not answer; the first of them: " + closed[0].reason
        }
    }

    private func reason(_ winner: CompiledStub) -> String {
        switch shadowedCount {
        case 0: "It is the only matching stub"
        case 1: "It precedes the other matching stub: " + why(winner, before: shadowed[0])
        default:
            "It precedes the \(shadowedCount) other matching stubs; compared with the next one, "
                + why(winner, before: shadowed[0])
        }
    }

    private func why(_ winner: CompiledStub, before other: CompiledStub) -> String {
        if winner.priority != other.priority {
            return "its priority \(winner.priority) is lower than \(other.priority)"
        }
        return switch (winner.file, other.file) {
        case (nil, .some):
            "both have priority \(winner.priority), and stubs of the admin API precede those of files"
        case (let file?, let other?) where file == other:
            "both have priority \(winner.priority), and it comes first in \(file)"
        case (let file?, let other?): "both have priority \(winner.priority), and \(file) is tried before \(other)"
        default: "both have priority \(winner.priority), and it was added later"
        }
    }
}

/// The rule that answers a CORS preflight.
public struct ExplainedPreflight: Sendable {
    public let status: Int
    /// Whether the page may send its request.
    public let isAllowed: Bool
    /// The rule that answers or refuses.
    public let rule: Report.Rule
    /// The reason without a full stop.
    public let reason: String

    init(_ preflight: Session.Preflight, _ request: some TemplateRequest, in session: Session) {
        status = preflight.response.status
        isAllowed = preflight.refusal == nil
        rule = preflight.rule
        let verb = preflight.refusal == nil ? "may send" : "may not send"
        reason =
            "A page of \(CORS.origin(request) ?? "") \(session.permission(for: request, verb))"
            + (preflight.refusal.map { ": \($0)" } ?? "")
    }
}

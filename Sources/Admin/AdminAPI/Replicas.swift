import SDBasics
public import SDHTTPMessages
public import SDHTTPTransport
import SDJSON
public import SDMockEngine
import SDPlatform
import SDRouting

/// Makes a change here that all replicas make. Parameters: the call, the request if this replica received it, the seed
/// of random ids, and the receiver of the answer. Not on a loop.
public typealias ChangeMaker =
    @Sendable (
        _ change: ReplicatedCall, _ request: Request?, _ seed: UInt64,
        _ then: @escaping @Sendable (PlainResponse) -> Void
    ) -> Void

/// How a replica handles calls of the admin API.
public protocol ReplicaControl: AnyObject, Sendable {
    /// Makes a change on all replicas, in the same order everywhere.
    /// - Parameters:
    ///   - request: the call's request; nil for an internal change.
    ///   - then: receives this replica's answer once the others have made the change too, with their documents if the
    ///     change asks for them. Any thread.
    func make(
        _ change: ReplicatedCall, _ request: Request?,
        then: @escaping @Sendable (_ own: PlainResponse, _ others: [[UInt8]]) -> Void)

    /// Asks the other replicas a question.
    /// - Parameter then: receives their documents, or an error. Any thread.
    func ask(_ call: ReplicatedCall, then: @escaping @Sendable (Result<[[UInt8]], ReplicaProblem>) -> Void)

    /// Gets the others' requests, and the decisions of some sessions so far.
    /// - Parameter then: called when everything is here, with the replicas that did not answer in time; or with an
    ///   error.
    func gather(_ sessions: [Session], then: @escaping @Sendable (Result<[String], ReplicaProblem>) -> Void)

    /// Sets how changes are made; called once, before the first of them.
    func use(_ maker: @escaping ChangeMaker)

    /// This replica and the live others, by start time.
    var overview: ReplicaOverview { get }
}

/// Why replicas cannot do together what a call asks for.
public struct ReplicaProblem: Error, Sendable {
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    /// The error for a call, or for a request that needs a shared decision.
    public var response: PlainResponse {
        let document = ErrorDocument(
            code: 50, title: "The replicas cannot agree: \(message)",
            detail: "what one server answers alone goes on; ask again once the shared server (--shared) is back")
        return PlainResponse.json(document.json, status: 503)
    }

    /// The error for a request while another replica's stub may be missing.
    public static let refusalBeforeJoining: PlainResponse = {
        let document = ErrorDocument(
            code: 50, title: "This replica has yet to learn what the others have changed",
            detail:
                "it has just been started; ask again in a moment, or another one (GET /__admin/health says when it is ready)"
        )
        var response = PlainResponse.json(document.json, status: 503)
        response.headers.append(("Retry-After", "1"))
        return response
    }()
}

/// The state of the replicas.
public struct ReplicaOverview: Sendable {
    /// One of the replicas.
    public struct Member: Sendable {
        public var id: String
        /// The addresses of its admin API.
        public var addresses: [String]
        public var version: String
        /// The start time, in milliseconds since 1970.
        public var startedAt: Int64
        /// A fingerprint of its stub files, for comparison with the others.
        public var fingerprint: String
        /// A digest of its options, for comparison with the others.
        public var options = ""
        /// The milliseconds since its last heartbeat.
        public var lastSeen: Int64
        /// The number in the requests that it hands in; nil until assigned.
        public var number: UInt64?
        /// All numbers that it has had, including the current one.
        public var numbers: Set<UInt64> = []
        /// Whether it has ever known all changes.
        public var hasHistory = false

        public init(
            id: String, addresses: [String], version: String, startedAt: Int64, fingerprint: String, lastSeen: Int64
        ) {
            (self.id, self.addresses, self.version) = (id, addresses, version)
            (self.startedAt, self.fingerprint, self.lastSeen) = (startedAt, fingerprint, lastSeen)
        }
    }

    /// The name that the replicas share.
    public var name: String
    /// This replica's own id.
    public var own: String
    /// Whether it has all changes and receives further ones.
    public var isReady: Bool
    /// Whether it has ever been ready.
    public var wasReady: Bool
    /// Why it has lost the others; nil if it has not.
    public var problem: String?
    public var members: [Member]
    /// The number of events dropped because they could not be sent to the others in time.
    public var dropped: UInt64

    public init(
        name: String, own: String, isReady: Bool, wasReady: Bool, problem: String?, members: [Member], dropped: UInt64
    ) {
        (self.name, self.own, self.isReady, self.wasReady) = (name, own, isReady, wasReady)
        (self.problem, self.members, self.dropped) = (problem, members, dropped)
    }
}

/// An admin API call as a value, which all replicas make.
public struct ReplicatedCall: Sendable {
    public var method: String
    /// The path, with `/__admin`, and the query.
    public var url: String
    /// The id of its session; nil for the default one.
    public var session: String?
    public var fields: [(name: String, value: String)]
    public var body: [UInt8]
    public var isSecure: Bool
    /// The time of the call, in nanoseconds since 1970.
    public var time: UInt64
    /// Whether each replica needs all requests before it makes the change.
    public var needsJournal: Bool
    /// Whether the others' answers are wanted too.
    public var wantsAnswers = false
    /// Whether the others may take long to answer. Used by the asking replica only; not sent.
    public var takesLong = false

    public init(
        method: String, url: String, session: String?, fields: [(name: String, value: String)], body: [UInt8],
        isSecure: Bool, time: UInt64, needsJournal: Bool
    ) {
        (self.method, self.url, self.session, self.fields) = (method, url, session, fields)
        (self.body, self.isSecure, self.time, self.needsJournal) = (body, isSecure, time, needsJournal)
    }

    /// The error for a change that is too large to replicate.
    public static func tooLarge(most: Int) -> PlainResponse {
        let title = "A change that replicas make together has at most \(most >> 20) MiB"
        return PlainResponse.json(ErrorDocument(code: 10, title: title).json, status: 413)
    }

    /// Whether it may delete sessions.
    public var endsSessions: Bool { method == "DELETE" && url.hasPrefix("/__admin/sessions") }

    /// Whether it creates a session, which needs a number.
    public var beginsSession: Bool { method == "POST" && url.prefix { $0 != "?" } == "/__admin/sessions" }

    /// Whether it only reads, so that another replica may ask it.
    public var onlyAsks: Bool {
        method == "GET" || method == "POST" && Self.questions.contains(String(url.prefix { $0 != "?" }))
    }

    private static let questions = Set(["count", "find", "wait", "wait-for-count"].map { "/__admin/messages/\($0)" })

    /// Whether stubs in the body may be persistent.
    public var mayPersist: Bool {
        fields.contains { $0.name == "content-encoding" }
            || String(decoding: body, as: UTF8.self).contains(text: "persistent")
    }

    /// The headers on which an answer may depend.
    private static let kept = ["host", "content-type", "content-encoding", "accept"]

    init(_ call: AdminCall, needsJournal: Bool) {
        let request = call.request
        self.init(
            method: String(decoding: request.method, as: UTF8.self),
            url: String(decoding: request.url, as: UTF8.self), session: call.session.id,
            fields: Self.kept.compactMap { name in
                request.header(Array(name.utf8)).map { (name, String(decoding: $0, as: UTF8.self)) }
            },
            body: Array(request.body), isSecure: request.isSecure, time: request.wallTime, needsJournal: needsJournal)
    }

    /// The call as a request, for replicas that did not receive it.
    var request: Request {
        Request(
            method: method, url: url, fields: fields, body: body,
            Request.Circumstances(isSecure: isSecure, wallTime: time, clockTime: SystemCalls.monotonicNanoseconds()))
    }
}

extension AdminCall {
    /// The answer of a route that replicas may share.
    func answer(sharing route: AdminRoute) -> AdminAnswer {
        guard let replicas = daemon.replicas else { return answerAlone(by: route) }
        if isMadeByAll {
            // Anyone who can write to the shared server can make changes and ask replicas' questions; nothing else.
            switch route.sharing {
            // On this thread, which has the seeded ids.
            case .change, .changeOfJournal, .actOnAll, .readAll, .byHandler: return answer(by: route)
            default:
                let title = "\(route.method) /__admin\(route.path) is no change that replicas make together"
                return .now(AdminError(403, ErrorDocument(code: 40, title: title)).response)
            }
        }
        switch route.sharing {
        case .own, .byHandler: return answerAlone(by: route)
        case .change, .changeOfJournal, .actOnAll:
            if let steps = answerStepByStep(route, replicas) { return steps }
            var change = ReplicatedCall(self, needsJournal: route.sharing == .changeOfJournal)
            change.wantsAnswers = route.sharing == .actOnAll
            return .later { [self, request, change] reply in
                let owed = OneShotReply(reply)
                rehearse(route) { refusal in
                    if let refusal { return owed.answer(refusal) }
                    replicas.make(change, request) { own, others in
                        owed.answer(own.merged(with: others, by: route))
                    }
                }
            }
        case .readAll:
            let question = ReplicatedCall(self, needsJournal: false)
            return .later { [self] reply in
                let owed = OneShotReply(reply)
                replicas.ask(question) { result in
                    switch result {
                    case .failure(let problem) where !route.isOfOwnUse: owed.answer(problem.response)
                    case .failure: pass(owed, to: answerAlone(by: route), without: [])
                    case .success(let others):
                        switch answer(by: route) {
                        case .now(let own): owed.answer(own.merged(with: others, by: route))
                        case .later(let answer):
                            answer(
                                DeferredReply(within: request, sessions.base.memory) {
                                    owed.answer($0.merged(with: others, by: route))
                                })
                        }
                    }
                }
            }
        case .data:
            return .later { [self] reply in
                let owed = OneShotReply(reply)
                session.bringUpToDate()
                session.enter { result in
                    switch result {
                    case .success(let pass): session.heavyWork.add { answer(inside: pass, by: route, owed) }
                    case .failure(let problem): owed.answer(ReplicaProblem(problem.message).response)
                    }
                }
            }
        case .reading:
            let read = route.readsAllSessions ? sessions.allSessions : [session]
            return .later { [self] reply in
                let owed = OneShotReply(reply)
                replicas.gather(read) { result in
                    switch result {
                    case .failure(let problem) where !route.isOfOwnUse: owed.answer(problem.response)
                    case .failure: pass(owed, to: answerAlone(by: route), without: ["all"])
                    case .success(let silent): pass(owed, to: answerAlone(by: route), without: silent)
                    }
                }
            }
        }
    }

    /// Whether the answer is an endless stream.
    private var isForever: Bool { request.path.elementsEqual("/__admin/events".utf8) }

    private func pass(_ owed: OneShotReply, to answer: AdminAnswer, without silent: [String]) {
        switch answer {
        case .now(let response): owed.answer(response.adding(Self.missing(silent)))
        case .later(let answer) where silent.isEmpty || isForever: owed.pass(to: answer)
        case .later(let answer):
            answer(
                DeferredReply(within: request, sessions.base.memory) { owed.answer($0.adding(Self.missing(silent))) })
        }
    }

    /// The answer of a route, made under the lock of the session's data. Not on a loop.
    private func answer(inside pass: DataPass?, by route: AdminRoute, _ owed: OneShotReply) {
        switch answer(by: route) {
        case .now(let response):
            // Release the lock first: a client with the answer must find what it says.
            pass?.end()
            owed.answer(response)
        case .later(let answer):
            owed.pass(to: answer)
            pass?.end()
        }
    }

    private func answerAlone(by route: AdminRoute) -> AdminAnswer {
        mayBeLong(route.work) ? inBackground(route) : answer(by: route)
    }

    /// The header that names replicas that did not answer.
    static func missing(_ silent: [String]) -> [(name: String, value: String)] {
        silent.isEmpty ? [] : [("X-StuntDouble-Silent-Replicas", silent.joined(separator: ", "))]
    }
}

extension AdminAPI {
    /// Makes a change here that all replicas make. Not on a loop. `then` may be called before or after this returns.
    /// - Parameters:
    ///   - request: the call's request, if this replica received it.
    ///   - seed: determines the random ids.
    func make(
        _ change: ReplicatedCall, _ request: Request?, seed: UInt64, then: @escaping @Sendable (PlainResponse) -> Void
    ) {
        let request = request ?? change.request
        let session: Session
        do throws(AdminError) {
            session = try self.session(change.session)
        } catch {
            return then(error.response)
        }
        session.bringUpToDate()
        let answer = SeededValues.with(seed: seed) {
            Self.answer(to: request) { parameters, query in
                var call = AdminCall(
                    request: request, session: session, sessions: sessions, daemon: daemon, waiting: waiting,
                    options: options, parameters: parameters, query: query, worker: 0)
                call.isMadeByAll = true
                return call
            }
        }
        switch answer {
        case .now(let response): then(response)
        // Deferred work must also use the seeded ids.
        case .later(let answer):
            SeededValues.with(seed: ~seed) { answer(DeferredReply(within: request, sessions.base.memory, then)) }
        }
    }

    private func session(_ id: String?) throws(AdminError) -> Session {
        guard let id else { return sessions.base }
        switch SessionID(id.utf8).flatMap(sessions.find) {
        case .alive(let live): return live.session
        case .ended(let id, let name): throw AdminError(MissingSession(kind: .ended(id, name: name)).response)
        case nil: throw AdminError(MissingSession(unknown: id, among: sessions.all).response)
        }
    }
}

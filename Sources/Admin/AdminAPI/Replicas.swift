public import SDHTTPMessages
public import SDHTTPTransport
import SDJSON
public import SDMockEngine
import SDPlatform
import SDRouting

/// Makes a change here that all replicas make: the call, the request if this replica was asked it, what decides the ids that
/// are drawn, and who is given the answer. Not on a loop.
public typealias ChangeMaker =
    @Sendable (
        _ change: ReplicatedCall, _ request: Request?, _ seed: UInt64,
        _ then: @escaping @Sendable (PlainResponse) -> Void
    ) -> Void

/// What a daemon that is one of several replicas, which are one mock server together, does with calls of the admin API.
public protocol ReplicaControl: AnyObject, Sendable {
    /// Has all replicas make a change, in the one order of all changes.
    /// - Parameters:
    ///   - request: the call as it came; nil for one that nobody asked.
    ///   - then: is given this replica's own answer once the others have made the change, too, and the documents that they
    ///     answer where the change asks for them. Any thread.
    func make(
        _ change: ReplicatedCall, _ request: Request?,
        then: @escaping @Sendable (_ own: PlainResponse, _ others: [[UInt8]]) -> Void)

    /// Asks the others what they answer.
    /// - Parameter then: is given their documents; or a refusal. Any thread.
    func ask(_ call: ReplicatedCall, then: @escaping @Sendable (Result<[[UInt8]], ReplicaProblem>) -> Void)

    /// Gets what the others know of a session's requests and of what was decided in it until now.
    /// - Parameter then: is called once all has come, with the replicas that did not answer in time; or with a refusal.
    func gather(_ session: Session, then: @escaping @Sendable (Result<[String], ReplicaProblem>) -> Void)

    /// Is told how changes are made, once, before the first of them.
    func use(_ maker: @escaping ChangeMaker)

    /// This replica and those that it knows to live, by the time of their start.
    var overview: ReplicaOverview { get }
}

/// The reason why replicas cannot do together what a call asks for.
public struct ReplicaProblem: Error, Sendable {
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    /// The refusal of a call, or of a request whose answer has to be decided together.
    public var response: PlainResponse {
        let document = ErrorDocument(
            code: 50, title: "The replicas cannot agree: \(message)",
            detail: "what one server answers alone goes on; ask again once the shared server (--shared) is back")
        return PlainResponse.json(document.json, status: 503)
    }
}

/// What is known of the replicas.
public struct ReplicaOverview: Sendable {
    /// One of the replicas.
    public struct Member: Sendable {
        public var id: String
        /// Where its admin API answers.
        public var addresses: [String]
        public var version: String
        /// The milliseconds since 1970 at which it started.
        public var startedAt: Int64
        /// Tells whether its stub files are those of the others.
        public var fingerprint: String
        /// The milliseconds since the others last heard of it.
        public var lastSeen: Int64
        /// The number that stands in what it hands in; nil until it has one.
        public var number: UInt64?
        /// Whether it has ever known all changes.
        public var hasHistory = false

        public init(
            id: String, addresses: [String], version: String, startedAt: Int64, fingerprint: String, lastSeen: Int64
        ) {
            (self.id, self.addresses, self.version) = (id, addresses, version)
            (self.startedAt, self.fingerprint, self.lastSeen) = (startedAt, fingerprint, lastSeen)
        }
    }

    /// The name that they share.
    public var name: String
    /// This replica's own id.
    public var own: String
    /// Whether it has all changes, and hears of further ones.
    public var isReady: Bool
    /// Whether it has ever been ready.
    public var wasReady: Bool
    /// The reason why it has lost the others; nil if it has not.
    public var problem: String?
    public var members: [Member]
    /// The events that were dropped because the others could not be told in time.
    public var dropped: UInt64

    public init(
        name: String, own: String, isReady: Bool, wasReady: Bool, problem: String?, members: [Member], dropped: UInt64
    ) {
        (self.name, self.own, self.isReady, self.wasReady) = (name, own, isReady, wasReady)
        (self.problem, self.members, self.dropped) = (problem, members, dropped)
    }
}

/// A call of the admin API as a value, which all replicas make.
public struct ReplicatedCall: Sendable {
    public var method: String
    /// The path, with `/__admin`, and the query.
    public var url: String
    /// The id of the session that it is about; nil for the first.
    public var session: String?
    public var fields: [(name: String, value: String)]
    public var body: [UInt8]
    public var isSecure: Bool
    /// The time of the call, in nanoseconds since 1970.
    public var time: UInt64
    /// Whether each replica needs all requests before it makes the change.
    public var needsJournal: Bool
    /// Whether the others' answers are wanted, too.
    public var wantsAnswers = false

    public init(
        method: String, url: String, session: String?, fields: [(name: String, value: String)], body: [UInt8],
        isSecure: Bool, time: UInt64, needsJournal: Bool
    ) {
        (self.method, self.url, self.session, self.fields) = (method, url, session, fields)
        (self.body, self.isSecure, self.time, self.needsJournal) = (body, isSecure, time, needsJournal)
    }

    /// The refusal of a change that is too large to be made together.
    public static func tooLarge(most: Int) -> PlainResponse {
        let title = "A change that replicas make together has at most \(most >> 20) MiB"
        return PlainResponse.json(ErrorDocument(code: 10, title: title).json, status: 413)
    }

    /// Whether a session is to begin, which needs a number.
    public var beginsSession: Bool { method == "POST" && url.prefix { $0 != "?" } == "/__admin/sessions" }

    /// The fields that an answer may depend on.
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

    /// The call as a request, for those that were not asked it.
    var request: Request {
        Request(
            method: method, url: url, fields: fields, body: body,
            Request.Circumstances(isSecure: isSecure, wallTime: time, clockTime: SystemCalls.monotonicNanoseconds()))
    }
}

extension AdminCall {
    /// The answer of a route where replicas may have a part in it.
    func answer(sharing route: AdminRoute) -> AdminAnswer {
        guard let replicas = daemon.replicas else { return answerAlone(by: route) }
        if isMadeByAll {
            // Whoever writes to the shared server writes changes, and asks what replicas ask each other; nothing else.
            switch route.sharing {
            // On this thread, on which ids are drawn.
            case .change, .changeOfJournal, .actOnAll, .readAll: return answer(by: route)
            default:
                let title = "\(route.method) /__admin\(route.path) is no change that replicas make together"
                return .now(AdminError(403, ErrorDocument(code: 40, title: title)).response)
            }
        }
        switch route.sharing {
        case .own: return answerAlone(by: route)
        case .change, .changeOfJournal, .actOnAll:
            if let steps = answerStepByStep(route, replicas) { return steps }
            // What cannot be saved is refused, and changes nothing anywhere.
            if daemon.folderAccess?.obstacle != nil, session.id == nil, isToBeSaved { return answerAlone(by: route) }
            var change = ReplicatedCall(self, needsJournal: route.sharing == .changeOfJournal)
            change.wantsAnswers = route.sharing == .actOnAll
            return .later { [request, change] reply in
                let owed = OwedReply(reply)
                replicas.make(change, request) { own, others in owed.answer(own.merged(with: others)) }
            }
        case .readAll:
            let question = ReplicatedCall(self, needsJournal: false)
            return .later { [self] reply in
                let owed = OwedReply(reply)
                replicas.ask(question) { result in
                    switch result {
                    case .failure(let problem): owed.answer(problem.response)
                    case .success(let others):
                        switch answer(by: route) {
                        case .now(let own): owed.answer(own.merged(with: others))
                        case .later(let answer):
                            answer(
                                LateReply(within: request, sessions.base.memory) {
                                    owed.answer($0.merged(with: others))
                                })
                        }
                    }
                }
            }
        case .data:
            return .later { [self] reply in
                let owed = OwedReply(reply)
                session.bringUpToDate()
                session.enter { result in
                    switch result {
                    case .success(let pass): session.heavyWork.add { answer(inside: pass, by: route, owed) }
                    case .failure(let problem): owed.answer(ReplicaProblem(problem.message).response)
                    }
                }
            }
        case .reading:
            return .later { [self] reply in
                let owed = OwedReply(reply)
                replicas.gather(session) { result in
                    switch result {
                    case .failure(let problem) where !route.isOfOwnUse: owed.answer(problem.response)
                    case .failure: pass(owed, to: answerAlone(by: route), without: ["all"])
                    case .success(let silent): pass(owed, to: answerAlone(by: route), without: silent)
                    }
                }
            }
        }
    }

    /// Whether stubs of the body are to be saved.
    private var isToBeSaved: Bool {
        guard request.bodyCount > 0, let body = (try? json())?.objectValue else { return false }
        let stubs = body["mappings"]?.arrayValue?.compactMap(\.objectValue) ?? [body]
        return stubs.contains { $0["persistent"]?.boolValue == true }
    }

    /// Whether the answer is a stream, which has no end.
    private var isForever: Bool { request.path.elementsEqual("/__admin/events".utf8) }

    private func pass(_ owed: OwedReply, to answer: AdminAnswer, without silent: [String]) {
        switch answer {
        case .now(let response): owed.answer(response.adding(Self.missing(silent)))
        case .later(let answer) where silent.isEmpty || isForever: owed.pass(to: answer)
        case .later(let answer):
            answer(
                LateReply(within: request, sessions.base.memory) { owed.answer($0.adding(Self.missing(silent))) })
        }
    }

    /// The answer of a route between the entrance to the session's data and its exit. Not on a loop.
    private func answer(inside pass: DataPass?, by route: AdminRoute, _ owed: OwedReply) {
        switch answer(by: route) {
        case .now(let response):
            // Whoever has the answer finds what it says.
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

    /// The field that names replicas that did not say what they know.
    static func missing(_ silent: [String]) -> [(name: String, value: String)] {
        silent.isEmpty ? [] : [("X-StuntDouble-Silent-Replicas", silent.joined(separator: ", "))]
    }
}

extension AdminAPI {
    /// Makes a change here that all replicas make. Not on a loop; returns before `then` is called, or after it.
    /// - Parameters:
    ///   - request: the call as it came, if this replica was asked it.
    ///   - seed: decides the ids that are drawn.
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
        let answer = DrawnValues.with(seed: seed) {
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
        // What is left to be drawn is drawn here, too.
        case .later(let answer):
            DrawnValues.with(seed: ~seed) { answer(LateReply(within: request, sessions.base.memory, then)) }
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

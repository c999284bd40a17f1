public import SDHTTPMessages
public import SDHTTPTransport
public import SDMockEngine
import SDStubModel

/// The entry point for requests: separates admin calls from requests for stubs.
public final class RequestDispatcher: RequestHandler {
    private let router: SessionRouter
    private let base: Session
    private let admin: any AdminCalls
    private let log: any ServerLog
    /// Answers CONNECT; nil to treat it as any other method.
    private let tunnels: (any TunnelMaker)?
    /// The refusal of requests during the start; nil for none.
    private let refusal: (@Sendable () -> PlainResponse?)?

    public init(
        sessions: SessionRegistry, admin: any AdminCalls, log: any ServerLog, tunnels: (any TunnelMaker)? = nil,
        refusal: (@Sendable () -> PlainResponse?)? = nil
    ) {
        self.tunnels = tunnels
        self.refusal = refusal
        router = SessionRouter(sessions: sessions)
        base = sessions.base
        self.admin = admin
        self.log = log
    }

    public func serve(_ request: Request, reply: consuming Reply) {
        switch router.destination(of: request) {
        case .base: serve(request, by: base, reply: reply)
        case .session(let live, let request): serve(request, by: live.session, reply: reply)
        case .noSession(let session, let request):
            if let refusal = refusal?() {
                reply.send(refusal.script(for: request))
            } else if isAdmin(request.path) {
                reply.sendEarlierAnswers()
                admin.answer(request, .nothing(session), reply: reply)
            } else {
                session.note(request, in: router.sessions)
                reply.send(admin.response(to: session).script(for: request))
            }
        }
    }

    private func serve(_ request: Request, by session: Session, reply: consuming Reply) {
        if request.hasReservedPath, isAdmin(request.path) {
            reply.sendEarlierAnswers()
            admin.answer(request, .session(session), reply: reply)
        } else if request.isOnAdminPort {
            reply.sendEarlierAnswers()
            reply.send(admin.response(beside: request).script(for: request))
        } else if let refusal = refusal?() {
            reply.send(refusal.script(for: request))
        } else if let tunnels, request.isConnect {
            tunnels.serve(request, by: session, reply: reply)
        } else {
            session.serve(request, reply: reply)
        }
    }

    public var limitsUploads: Bool { base.limitsUploads }

    public func readRate(of head: Request) -> UInt64? {
        guard !isAdmin(head.path) else { return nil }
        switch router.destination(of: head) {
        case .base: return base.readRate(of: head)
        case .session(let live, let head): return isAdmin(head.path) ? nil : live.session.readRate(of: head)
        case .noSession: return nil
        }
    }

    public var streamsShortBodies: Bool { base.streamsShortBodies }

    public func takesBodyStream(of head: Request, isLong: Bool) -> Bool {
        guard !isAdmin(head.path) else { return false }
        // A body that nothing reads.
        if tunnels != nil, head.isConnect { return true }
        switch router.destination(of: head) {
        case .base: return base.takesBodyStream(of: head, isLong: isLong)
        case .session(let live, let head):
            return !isAdmin(head.path) && live.session.takesBodyStream(of: head, isLong: isLong)
        case .noSession: return false
        }
    }

    public func http2ServerPreface(_ origin: Request.Origin, serverName: String?) -> HTTP2ServerPreface {
        switch router.sessions.http2Fault(origin: origin, serverName: serverName) {
        case nil: .normal
        case .noSettings: .noSettings
        case .garbage: .garbage
        }
    }

    /// Answers the waiting admin calls and ends the event streams, so that the server can stop.
    public func endWaiting() {
        admin.endWaiting()
        router.sessions.closeChannels()
    }

    public func refused(status: Int, reason: String, peer: String) {
        log.refused(status: status, reason: reason, peer: peer)
    }

    public func trouble(_ text: String) {
        log.trouble(text)
    }

    public func failedHandshake(_ text: String, _ origin: Request.Origin, serverName: String?) {
        router.sessions.noteFailedHandshake(text, origin, serverName: serverName)
        log.failedHandshake(text, serverName: serverName)
    }
}

/// Answers the calls whose paths begin with `/__admin`.
public protocol AdminCalls: Sendable {
    /// Answers a call, at once or later.
    func answer(_ request: Request, _ target: AdminTarget, reply: consuming Reply)
    /// The answer to a request for a session that does not exist.
    func response(to missing: MissingSession) -> PlainResponse
    /// The answer to a request outside the admin API, on a port that serves only the API.
    func response(beside request: Request) -> PlainResponse
    /// Answers the waiting calls, and ends the event streams.
    func endWaiting()
}

/// The session that an admin call is about.
public enum AdminTarget {
    case session(Session)
    case nothing(MissingSession)
}

/// Answers requests for tunnels to other servers.
public protocol TunnelMaker: AnyObject, Sendable {
    func serve(_ request: Request, by session: Session, reply: consuming Reply)
}

/// Logs events of the server that no response shows.
public protocol ServerLog: AnyObject, Sendable {
    func refused(status: Int, reason: String, peer: String)
    func trouble(_ text: String)
    /// A TLS handshake failed.
    /// - Parameter serverName: the server name of the client hello (SNI); nil for none.
    func failedHandshake(_ text: String, serverName: String?)
}

extension ServerLog {
    public func failedHandshake(_ text: String, serverName: String?) {
        trouble(text + (serverName.map { ", for \($0)" } ?? ""))
    }
}

/// Whether a path is one of the admin API.
func isAdmin(_ path: ArraySlice<UInt8>) -> Bool {
    guard path.starts(with: adminPrefix) else { return false }
    return path.count == adminPrefix.count || path.dropFirst(adminPrefix.count).first == slash
}

private let adminPrefix = Array("/__admin".utf8)
private let slash = UInt8(ascii: "/")

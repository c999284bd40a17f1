import SDAdminAPI
import SDCommand
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDPlatform
import SDRouting
import SDUpstream
import Synchronization

/// Answers CONNECT: intercepts tunnels to hosts that stubs name, and relays others to their servers unchanged.
final class ForwardProxy: TunnelMaker {
    /// The maximum number of relayed tunnels; each takes two descriptors.
    static let most = 1_000

    private let opensAll: Bool
    private let security: TunnelInterception
    /// The idle timeout of a tunnel, in milliseconds.
    private let patience: Int
    private let log: Log
    private let count = Atomic(0)

    init(_ service: MockService) throws(TransportError) {
        opensAll = service.options.browserProxying
        log = service.log
        patience = service.options.upstreamTimeout
        security = try TunnelInterception(service.security(acceptsPlain: false))
    }

    func serve(_ request: Request, by session: Session, reply: consuming Reply) {
        guard request.version != .http2 else {
            return refuse(501, "CONNECT is answered in HTTP/1.1 only", request, session, reply)
        }
        let authority = request.authority ?? request.target
        guard request.bodyCount == 0, request.bodyStream == nil else {
            return refuse(400, "a CONNECT request has no body", request, session, reply)
        }
        let text = String(decoding: authority, as: UTF8.self)
        guard let (host, _) = Upstream.hostAndPort(authority) else {
            return refuse(
                400, "CONNECT needs a host and a port, such as example.com:443; found \(text)", request, session, reply)
        }
        if opensAll || request.isForItself || session.namesHost(host) {
            guard reply.openTunnel(to: host, security) else {
                return refuse(
                    501, "a tunnel cannot be opened within another one or within HTTPS; use http:// for the proxy",
                    request, session, reply)
            }
            return reply.send(Self.established)
        }
        guard count.add(1, ordering: .relaxed).newValue <= Self.most else {
            count.subtract(1, ordering: .relaxed)
            return refuse(503, "there are \(Self.most) tunnels already", request, session, reply)
        }
        lead(to: authority, text, request, session, reply)
    }

    private func lead(
        to authority: ArraySlice<UInt8>, _ text: String, _ request: Request, _ session: Session,
        _ reply: consuming Reply
    ) {
        let loop = reply.loop
        let waiting = ReplyBox(reply)
        session.upstream.connect(to: authority, on: loop) { [self] result in
            guard let reply = waiting.take() else { return ended() }
            switch result {
            case .success(let server):
                guard let socket = server.take() else { return ended() }
                let begun = reply.tunnel(to: socket, idle: patience) { [self] end in
                    ended()
                    log.info("the tunnel to \(text) \(end.words(limit: "--proxy-timeout"))")
                }
                if begun { return reply.send(Self.established) }
                ended()
                refuse(501, "this connection cannot become a tunnel", request, session, reply)
            case .failure(let problem):
                ended()
                refuse(502, problem.message, request, session, reply)
            }
        }
    }

    private func ended() {
        count.subtract(1, ordering: .relaxed)
    }

    private func refuse(
        _ status: Int, _ text: String, _ request: Request, _ session: Session, _ reply: consuming Reply
    ) {
        var response = PlainResponse(status: status, text: text + "\n")
        // Bytes after the request may belong to the tunnel; in HTTP/2 only the stream is affected.
        response.closes = request.version != .http2
        let host = String(decoding: request.authority ?? request.target, as: UTF8.self)
        let event = session.refusedTunnel(request, to: host, status: status, text)
        reply.send(response.script(for: request), observer: event)
    }

    private static let established = WireScript([
        .raw(WireBytes(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))), .end(.keepAlive),
    ])
}

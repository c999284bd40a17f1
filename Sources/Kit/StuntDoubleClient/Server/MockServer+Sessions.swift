import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MockServer {
    /// Begins a session: a server of its own within the running one, with its own stubs, requests, gates and state, so
    /// that tests run side by side. It costs well under a millisecond.
    /// - Parameters:
    ///   - name: a label for lists and logs, such as the test's name.
    ///   - seed: the seed of its random choices and delays; nil draws one from the server's.
    ///   - inheriting: whether the server's own stubs and settings apply, too.
    ///   - ownPort: whether it gets a port of its own, so that any client reaches it by its URL. False names it by a
    ///     path, `/__session/<id>`, which costs no socket and passes through a forwarded port.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, as when no port can be opened.
    public func makeSession(
        name: String? = nil, seed: UInt64? = nil, inheriting: Bool = true, ownPort: Bool = true
    ) async throws -> MockServer {
        var body = JSONObject()
        body["name"] = name.map { .string($0) }
        // The server's seeds are signed; all 64 bits count.
        body["seed"] = seed.map { .number(JSONNumber(Int(bitPattern: UInt($0)))) }
        if !inheriting { body["inherit"] = false }
        if ownPort {
            body["port"] = 0
            // Where each port takes HTTPS, too, that of the session does.
            if let https = host.httpsText, !https.hasSuffix(host.baseText.dropFirst("http".count)) {
                body["httpsPort"] = 0
            }
        }
        let result = try await call(
            "POST", "/sessions", body: JSONValue.object(body).compactBytes, isGlobal: true)
        let answer = try result.json
        guard let id = answer["id"]?.stringValue else {
            throw MockServerError(await host.stranger() ?? "the answer names no session", call: result.call)
        }
        let prefix = "/__session/" + URLEscaping.component(id)
        var text = host.baseText + prefix
        if let port = answer["port"]?.intValue, let colon = host.baseText.lastIndex(of: ":") {
            text = host.baseText[..<colon] + ":\(port)"
        }
        guard let url = URL(string: text) else { throw MockServerError("\(text) is no URL", call: result.call) }
        let https = answer["httpsPort"]?.intValue.map { httpsText(port: $0) } ?? host.httpsText.map { $0 + prefix }
        return MockServer(
            host: host, url: url, httpsURL: https.flatMap { URL(string: $0) }, sessionID: id, callPrefix: prefix,
            reporter: reporter)
    }

    /// The member of the header `baggage`, and the cookie, that name the session: `stuntdouble-session=ID`. Whoever passes
    /// it on reaches the session under any address of the server. Nil for a default session.
    public var identity: String? { sessionID.map { "stuntdouble-session=\($0)" } }

    /// The base URL of the server's host for HTTPS on a port.
    private func httpsText(port: Int) -> String {
        let plain = host.baseText.lastIndex(of: ":").map { host.baseText[..<$0] } ?? host.baseText[...]
        return "https" + plain.dropFirst("http".count) + ":\(port)"
    }

    /// The certificate, in PEM, of the authority that has issued what the server shows to HTTPS clients. A client that
    /// trusts it trusts the server under any name.
    /// - Throws: `MockServerError` if the server cannot be reached, or serves no HTTPS with an authority of its own.
    public func certificateAuthority() async throws -> String {
        let result = try await call("GET", "/certs/wiremock-ca.crt", isGlobal: true)
        return result.answer.bodyText
    }

    /// Ends what this value began: the session with all of its data; of a server that was launched or embedded, the
    /// server itself. The default session of any other server goes on. To end twice is no error.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    public func end() async throws {
        declarations.end()
        guard let sessionID else {
            guard let owner = host.owner else { return }
            return try await KitThreads.run {
                await owner.stop()
                host.transport.close()
            }
        }
        do {
            _ = try await call("DELETE", "/sessions/" + URLEscaping.component(sessionID), isGlobal: true)
        } catch let error as MockServerError where error.status == 404 || error.status == 410 {
            return
        }
    }
}

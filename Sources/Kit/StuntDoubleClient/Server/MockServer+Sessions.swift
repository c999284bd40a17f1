import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MockServer {
    /// Creates a session: an isolated server inside the running one, with its own stubs, requests, gates and state, so
    /// that tests run in parallel. It takes well under a millisecond.
    /// - Parameters:
    ///   - name: a label for listings and logs, such as the test's name.
    ///   - seed: the seed of random choices and delays; nil derives one from the server's.
    ///   - inheriting: whether the server's stubs and settings apply as well.
    ///   - ownPort: whether the session gets its own port, so that any client reaches it by its URL. If false, its URL
    ///     has a path, `/__session/<id>`, which costs no socket and works through a forwarded port. A replicated server
    ///     has no ports for sessions and always uses the path.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example because no port is
    ///   free.
    public func makeSession(
        name: String? = nil, seed: UInt64? = nil, inheriting: Bool = true, ownPort: Bool = true
    ) async throws -> MockServer {
        var body = JSONObject()
        body["name"] = name.map { .string($0) }
        // JSON integers of the server are signed; the bit pattern keeps all 64 bits.
        body["seed"] = seed.map { .number(JSONNumber(Int(bitPattern: UInt($0)))) }
        if !inheriting { body["inherit"] = false }
        if ownPort {
            body["port"] = 0
            // If each port accepts HTTPS as well, so does the session's.
            if let https = host.httpsText, !https.hasSuffix(host.baseText.dropFirst("http".count)) {
                body["httpsPort"] = 0
            }
        }
        var result: AdminResult
        do {
            result = try await begin(body)
        } catch let error as MockServerError where error.status == 422 && ownPort {
            body["port"] = nil
            body["httpsPort"] = nil
            result = try await begin(body)
        }
        let answer = try result.json
        guard let id = answer["id"]?.stringValue else {
            throw MockServerError(await host.foreignServer() ?? "the answer names no session", call: result.call)
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

    private func begin(_ body: JSONObject) async throws -> AdminResult {
        try await call("POST", "/sessions", body: JSONValue.object(body).compactBytes, isGlobal: true)
    }

    /// The session's `baggage` header member and cookie: `stuntdouble-session=ID`. A request that carries it reaches
    /// the session under any address of the server. Nil for a default session.
    public var identity: String? { sessionID.map { "stuntdouble-session=\($0)" } }

    /// The base URL of the server's host for HTTPS on a port.
    private func httpsText(port: Int) -> String {
        let plain = host.baseText.lastIndex(of: ":").map { host.baseText[..<$0] } ?? host.baseText[...]
        return "https" + plain.dropFirst("http".count) + ":\(port)"
    }

    /// The PEM certificate of the authority that issues the server's HTTPS certificates. A client that trusts it trusts
    /// the server under any name.
    /// - Throws: `MockServerError` if the server cannot be reached, or has no HTTPS authority of its own.
    public func certificateAuthority() async throws -> String {
        let result = try await call("GET", "/certs/wiremock-ca.crt", isGlobal: true)
        return result.answer.bodyText
    }

    /// Ends the session with all of its data, or the server itself if this process launched or embedded it. The default
    /// session of another server stays. Ending twice is no error.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
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

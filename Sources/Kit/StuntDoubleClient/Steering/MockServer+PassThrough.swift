import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Some calls real, some faked.
extension MockServer {
    /// Sends the requests that no stub matches on to a real service, whose answers the client gets.
    ///
    /// ```swift
    /// try await mock.passThrough(to: URL(string: "https://staging.example.com"))
    /// try await mock.stub(.post("/payments"), .status(402))
    /// ```
    /// Such a request is not unmatched: it fails no test. It is in the journal like any other. Files of the daemon's
    /// folder come before the service, like stubs.
    /// - Parameters:
    ///   - service: the base URL of the service, with `http` or `https`; path and query of a request are put behind it.
    ///     With nil, requests that no stub matches are unmatched again.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` for a URL that is none of HTTP, and if the server cannot be reached.
    public func passThrough(
        to service: URL?,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.pass(to: service)
        }
    }

    func pass(to service: URL?) async throws {
        try await KitThreads.run {
            try await change { try $0.set("passThrough", to: service.map { .encoding($0.absoluteString) } ?? .null) }
        }
    }

    /// Sends the requests for one host that no stub matches on to the real host. For requests that reach the server under
    /// the host's own name, by [`MockRouting`](routing.md) or a proxy setting.
    /// - Parameters:
    ///   - host: a name such as `api.example.com`, with a port if it is not the usual one of the scheme.
    ///   - scheme: how the host is called, `https` or `http`.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: the id of the stub that does it, for `removeStub`.
    /// - Throws: `Stub.Problem` for what is no host; `MockServerError` if the server cannot be reached.
    @discardableResult
    public func passThrough(
        host: String, scheme: String = "https",
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.add(mock.passingThrough(to: host, scheme))
        }
    }

    private func passingThrough(to host: String, _ scheme: String) throws -> Stub {
        let url = "\(scheme)://\(host)"
        guard let parts = URLParts(url), parts.authority == host else {
            throw Stub.Problem(
                "\(quoted(host)) is no host; expected a name such as \"api.example.com\", or with a port "
                    + "\"localhost:8080\"")
        }
        var request = Stub.Request.any.host(.equal(String(host.prefix { $0 != ":" }), ignoringCase: true))
        if let port = host.lastIndex(of: ":").flatMap({ Int(host[host.index(after: $0)...]) }) {
            request = request.port(port)
        }
        return try Stub(request, .proxy(to: url).priority(Self.last).named("pass through to \(host)"))
    }

    /// The lowest priority that a stub can have, so that all others come first.
    private static let last = Int(Int32.max)
}

import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Partial mocks: some calls real, some faked.
extension MockServer {
    /// Forwards requests that match no stub to a real service, and returns its answers.
    ///
    /// ```swift
    /// try await mock.passThrough(to: URL(string: "https://staging.example.com"))
    /// try await mock.stub(.post("/payments"), .status(402))
    /// ```
    /// A forwarded request is not unmatched and fails no test. It is in the journal. Body files of the daemon's folder
    /// take precedence over the service, like stubs.
    /// - Parameters:
    ///   - service: the service's `http` or `https` base URL; a request's path and query are appended to it. Nil ends
    ///     the forwarding.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` for a URL that is not HTTP, and if the server cannot be reached.
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

    /// Forwards requests for one host that match no stub to the real host. For requests that reach the server under the
    /// host's own name, through [`MockRouting`](routing.md) or a proxy setting.
    /// - Parameters:
    ///   - host: a name such as `api.example.com`, with a port unless it is the scheme's default.
    ///   - scheme: the scheme of the real host, `https` or `http`.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: the id of the forwarding stub, for `removeStub`.
    /// - Throws: `Stub.Problem` for an invalid host; `MockServerError` if the server cannot be reached.
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

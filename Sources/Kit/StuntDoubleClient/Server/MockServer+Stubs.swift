import SDJSON
import SDStubModel

extension MockServer {
    /// Adds a stub: a request pattern and its answers.
    ///
    /// ```swift
    /// try await mock.stub(.get("/greeting"), .text("hello"))
    /// try await mock.stub(.post("/orders"), .status(503).times(2), .json(order, status: 201))
    /// ```
    /// Several answers are given in turn; the last one repeats. If several stubs match a request, the one added last
    /// answers, unless a `priority` says otherwise.
    /// - Parameters:
    ///   - request: the pattern of the requests to answer.
    ///   - answer: the answer, or the first of several.
    ///   - others: the further answers.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: the id of the stub, for `removeStub` and `replaceStub`.
    /// - Throws: `Stub.Problem` for a value that cannot be sent, such as a status of 1000 or one that cannot be
    ///   encoded; `MockServerError` with the server's message if the stub is not valid.
    @discardableResult
    public func stub(
        _ request: Stub.Request, _ answer: Stub.Answer, _ others: Stub.Answer...,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.add(Stub(request, [answer] + others))
        }
    }

    @available(*, unavailable, message: "a stub needs an answer, such as .status(200)")
    @discardableResult
    public func stub(_ request: Stub.Request) async throws -> Stub.ID {
        try await add(Stub(request, []))
    }

    /// Adds several stubs, such as those of `Stub.records`: all or none.
    /// - Returns: the ids of the stubs.
    /// - Throws: `MockServerError` if the server cannot be reached, or with its message if a stub is not valid.
    @discardableResult
    public func stub(
        _ stubs: [Stub],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> [Stub.ID] {
        // An import tries the first mapping first; the kit tries the last stub first.
        let body: JSONValue = ["mappings": .array(stubs.reversed().map { $0.model.json() })]
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.call("POST", "/mappings/import", body: body.compactBytes)
        }
        return stubs.map(\.id)
    }

    /// Adds a stub.
    /// - Returns: the id of the stub, for `removeStub` and `replaceStub`.
    /// - Throws: `MockServerError` with the server's message if the stub is not valid.
    @discardableResult
    public func stub(
        _ stub: Stub,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await $0.add(stub)
        }
    }

    /// `stub` with the call site of this value.
    package func add(_ stub: Stub) async throws -> Stub.ID {
        _ = try await call("POST", "/mappings", body: stub.model.json().compactBytes)
        return stub.id
    }

    /// Replaces a stub in place: the order in which stubs are tried stays the same.
    /// - Throws: `MockServerError` if the server cannot be reached, or with its message if the id is unknown or the new
    ///   stub is not valid.
    public func replaceStub(
        _ id: Stub.ID, with stub: Stub,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        var mapping = stub.model
        mapping.id = id
        let body = mapping.json().compactBytes
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.call("PUT", "/mappings/" + id.lowercasedString, body: body)
        }
    }

    /// Removes a stub. An unknown id is an error.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example for an unknown id.
    public func removeStub(
        _ id: Stub.ID,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        _ = try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.call("DELETE", "/mappings/" + id.lowercasedString)
        }
        declarations.remove(id)
    }

    /// Removes all stubs, including inherited ones.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func removeAllStubs() async throws {
        _ = try await call("DELETE", "/mappings")
        declarations.end()
    }

    /// The stubs in the order in which they are tried.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, or if its answer cannot be
    ///   read.
    public var stubs: [Stub] {
        get async throws {
            let result = try await call("GET", "/mappings")
            return try (result.json["mappings"]?.arrayValue ?? []).map { json in
                try result.read("a stub") { () throws(ModelProblems) in Stub(try SDStubModel.StubMapping(json: json)) }
            }
        }
    }

    /// Restores the session's initial state: removes added stubs, requests, state, faults and scenario states, and
    /// restores inherited stubs and those of the test's mocks folder. Requests held at a gate and open streams are cut
    /// off.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func reset() async throws {
        _ = try await call("POST", "/reset")
        declarations.end()
        try await loadBeginning()
    }
}

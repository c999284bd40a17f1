public import Testing

// `stub` and its kind for helpers of a test's own, with the place of their caller.

extension MockServer {
    /// `stub` for a helper, with the place of its caller.
    /// - Returns: the stub's id.
    /// - Throws: like `stub`.
    @discardableResult
    public func stub(
        _ request: Stub.Request, _ answer: Stub.Answer, _ others: Stub.Answer..., sourceLocation: SourceLocation
    ) async throws -> Stub.ID {
        try await at(CallSite(sourceLocation)) { mock in
            try await mock.add(Stub(request, [answer] + others))
        }
    }

    /// `stub` for a helper, with the place of its caller.
    /// - Returns: the ids of the stubs.
    /// - Throws: like `stub`.
    @discardableResult
    public func stub(_ stubs: [Stub], sourceLocation: SourceLocation) async throws -> [Stub.ID] {
        let place = CallSite(sourceLocation)
        return try await stub(
            stubs, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }

    /// `stub` for a helper, with the place of its caller.
    /// - Returns: the stub's id.
    /// - Throws: like `stub`.
    @discardableResult
    public func stub(_ stub: Stub, sourceLocation: SourceLocation) async throws -> Stub.ID {
        try await at(CallSite(sourceLocation)) { try await $0.add(stub) }
    }

    /// `replaceStub` for a helper, with the place of its caller.
    /// - Throws: like `replaceStub`.
    public func replaceStub(_ id: Stub.ID, with stub: Stub, sourceLocation: SourceLocation) async throws {
        let place = CallSite(sourceLocation)
        try await replaceStub(
            id, with: stub, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }

    /// `addFault` for a helper, with the place of its caller.
    /// - Returns: the fault's id.
    /// - Throws: like `addFault`.
    @discardableResult
    public func addFault(
        _ fault: Stub.Fault, on pattern: Stub.Request = .any, name: String? = nil, sourceLocation: SourceLocation
    ) async throws -> Stub.ID {
        let place = CallSite(sourceLocation)
        return try await addFault(
            fault, on: pattern, name: name, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }

    /// `load` for a helper, with the place of its caller, beside whose file the folder is looked for.
    /// - Throws: like `load`.
    public func load(folder: String, sourceLocation: SourceLocation) async throws {
        let place = CallSite(sourceLocation)
        try await load(
            folder: folder, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }

    /// `callAdmin` for a helper, with the place of its caller.
    /// - Returns: the JSON of the answer.
    /// - Throws: like `callAdmin`.
    @discardableResult
    public func callAdmin(
        _ method: String, _ path: String, _ body: Stub.JSON? = nil, timeout: Duration = .seconds(30),
        sourceLocation: SourceLocation
    ) async throws -> Stub.JSON {
        let place = CallSite(sourceLocation)
        return try await callAdmin(
            method, path, body, timeout: timeout, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }
}

package import SDJSON
import SDStubModel

extension MockServer {
    /// Calls the session's admin API and parses the JSON of the answer; null if it has no body.
    ///
    /// For calls without a method of their own in the kit.
    /// - Parameters:
    ///   - method: such as `GET`.
    ///   - path: the path below `/__admin`, with the query, percent-encoded: `/requests?limit=10`.
    ///   - body: the JSON to send; nil for none.
    ///   - timeout: how long to wait for the answer.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    @discardableResult
    public func callAdmin(
        _ method: String, _ path: String, _ body: Stub.JSON? = nil, timeout: Duration = .seconds(30),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.JSON {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            Stub.JSON(try await mock.call(method, path, body: body?.value.compactBytes, timeout: timeout).json)
        }
    }

    /// Calls the session's admin API and parses the JSON of the answer; null if it has no body.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    @discardableResult
    package func admin(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        try await call(method, path, body: body?.compactBytes, timeout: .seconds(30)).json
    }

    /// Calls the admin API.
    /// - Parameters:
    ///   - isGlobal: whether the call concerns the server rather than the session.
    ///   - isQuiet: whether the caller reports the server's warnings itself.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    func call(
        _ method: String, _ path: String, body: [UInt8]? = nil, timeout: Duration? = ServerHost.patience,
        isLong: Bool = false, isGlobal: Bool = false, isQuiet: Bool = false,
        onBody: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil
    ) async throws -> AdminResult {
        let name = "\(method) /__admin\(path)"
        var request = ServerRequest(method: method, target: (isGlobal ? "" : callPrefix) + "/__admin" + path)
        if let authorization = host.authorization { request.headers.append(("Authorization", authorization)) }
        if let body {
            request.headers.append(("Content-Type", "application/json"))
            request.body = body
        } else if method == "POST" || method == "PUT" || method == "PATCH" {
            request.body = []
        }
        request.timeout = timeout
        request.isLong = isLong
        request.onBody = onBody
        let answer: ServerAnswer
        do {
            answer = try await host.transport.send(request)
        } catch let error as MockServerError {
            throw MockServerError(await host.owner.told(error.message), call: name, at: callSite)
        }
        if !isQuiet { reportWarnings(of: answer) }
        guard (200..<300).contains(answer.status) else {
            var reason = AdminResult.failureText(answer)
            if !AdminResult.isOurs(answer), let foreignServer = await host.foreignServer() {
                reason = foreignServer + "; start `stuntdouble` there in its place"
            }
            throw MockServerError(reason, call: name, status: answer.status, at: callSite)
        }
        return AdminResult(call: name, answer: answer)
    }
}

extension (any ServerOwner)? {
    /// The message for a call that did not reach the server, with the server's end and log if it has ended.
    fileprivate func told(_ failure: String) async -> String {
        guard let self else { return failure }
        // The end of a process is noticed shortly after that of its connections.
        let end = await self.end(within: .seconds(1))
        let log = self.log
        return (end.map { "the daemon has ended: \($0)" } ?? failure) + (log.isEmpty ? "" : "\nits log:\n" + log)
    }
}

/// The answer to a successful call.
struct AdminResult: Sendable {
    let call: String
    let answer: ServerAnswer

    var json: JSONValue {
        get throws {
            guard !answer.body.isEmpty else { return .null }
            do {
                return try JSONValue(parsing: answer.body)
            } catch {
                throw MockServerError("the answer is not JSON: \(error)", call: call)
            }
        }
    }

    /// Reads a model value from the answer.
    /// - Parameter what: the name of the value, for the error.
    /// - Throws: `MockServerError` with the problems found by `read`.
    func read<Value>(
        _ what: String, _ read: () throws(ModelProblems) -> Value
    ) throws(MockServerError) -> Value {
        do throws(ModelProblems) {
            return try read()
        } catch {
            throw MockServerError("\(what) cannot be read: \(error)", call: call)
        }
    }

    /// Whether a rejection certainly comes from Stunt Double, whose answers have a list of errors.
    static func isOurs(_ answer: ServerAnswer) -> Bool { !errors(answer).isEmpty || answer.status == 401 }

    private static func errors(_ answer: ServerAnswer) -> [JSONValue] {
        (try? JSONValue(parsing: answer.body))?["errors"]?.arrayValue ?? []
    }

    /// The server's message about a rejected call.
    static func failureText(_ answer: ServerAnswer) -> String {
        let errors = errors(answer)
        if errors.isEmpty, answer.status == 401 {
            return "it asks for credentials: give `adminToken`, or a user and a password in the URL"
        }
        guard !errors.isEmpty else { return answer.body.isEmpty ? "no reason was given" : answer.bodyText }
        let texts = errors.map { error -> String in
            let title = error["title"]?.stringValue ?? ""
            guard let detail = error["detail"]?.stringValue else { return title }
            return title.isEmpty ? detail : "\(title): \(detail)"
        }
        return texts.joined(separator: "\n")
    }
}

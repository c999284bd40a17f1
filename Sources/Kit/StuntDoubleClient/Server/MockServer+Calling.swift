package import SDJSON
import SDStubModel

extension MockServer {
    /// Calls the admin API of the session and reads the JSON of the answer; null for an answer without a body.
    ///
    /// For calls that have no method of their own here.
    /// - Parameters:
    ///   - method: such as `GET`.
    ///   - path: the path below `/__admin`, with the query: `/requests?limit=10`. Escape what is not part of it.
    ///   - body: the JSON that is sent; nil for none.
    ///   - timeout: how long to wait for the answer.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    @discardableResult
    public func callAdmin(
        _ method: String, _ path: String, _ body: Stub.JSON? = nil, timeout: Duration = .seconds(30),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.JSON {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            Stub.JSON(try await mock.call(method, path, body: body?.value.compactBytes, timeout: timeout).json)
        }
    }

    /// Calls the admin API of the session and reads the JSON of the answer; null for an answer without a body.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    @discardableResult
    package func admin(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        try await call(method, path, body: body?.compactBytes, timeout: .seconds(30)).json
    }

    /// Calls the admin API.
    /// - Parameters:
    ///   - isGlobal: whether the call is about the server and not about the session.
    ///   - isQuiet: whether what the server warns of is told elsewhere.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
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
        if !isQuiet { tellWarnings(of: answer) }
        guard (200..<300).contains(answer.status) else {
            var reason = AdminResult.complaint(answer)
            if !AdminResult.isOurs(answer), let stranger = await host.stranger() {
                reason = stranger + "; start `stuntdouble` there in its place"
            }
            throw MockServerError(reason, call: name, status: answer.status, at: callSite)
        }
        return AdminResult(call: name, answer: answer)
    }
}

extension (any ServerOwner)? {
    /// What went wrong with a call that did not reach the server: that the server has ended, if it has, and its log.
    fileprivate func told(_ failure: String) async -> String {
        guard let self else { return failure }
        // The end of a process is known a moment after that of its connections.
        let end = await self.end(within: .seconds(1))
        let log = self.log
        return (end.map { "the daemon has ended: \($0)" } ?? failure) + (log.isEmpty ? "" : "\nits log:\n" + log)
    }
}

/// The answer to a call that the server has not refused.
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

    /// Reads a value of the dialect from the answer.
    /// - Parameter what: the value in words, for the error.
    /// - Throws: `MockServerError` with what `read` found wrong.
    func read<Value>(
        _ what: String, _ read: () throws(ModelProblems) -> Value
    ) throws(MockServerError) -> Value {
        do throws(ModelProblems) {
            return try read()
        } catch {
            throw MockServerError("\(what) cannot be read: \(error)", call: call)
        }
    }

    /// Whether a refusal is certainly of a server of ours, which has a list of errors.
    static func isOurs(_ answer: ServerAnswer) -> Bool { !errors(answer).isEmpty || answer.status == 401 }

    private static func errors(_ answer: ServerAnswer) -> [JSONValue] {
        (try? JSONValue(parsing: answer.body))?["errors"]?.arrayValue ?? []
    }

    /// The server's own words about a call that it refused.
    static func complaint(_ answer: ServerAnswer) -> String {
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

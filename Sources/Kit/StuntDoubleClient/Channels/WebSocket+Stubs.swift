import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer.WebSocket {
    /// Answers a message that clients send.
    ///
    /// ```swift
    /// try await mock.webSocket("/chat").on(.json(["type": "ping"]), .json(["type": "pong"]))
    /// ```
    /// Of the stubs that match a message, the one added last answers, unless a `priority` says otherwise.
    /// - Parameters:
    ///   - matcher: the messages to answer; `.anything` matches all. `.data` sees the bytes, other matchers the text.
    ///   - message: the answer, or the first of several.
    ///   - others: further messages to send after it.
    ///   - priority: lower numbers win; 5 if nil.
    ///   - name: a label for reports.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: the id of the stub, for `removeStub`.
    /// - Throws: `Stub.Problem` for an invalid path or a value that cannot be encoded; `MockServerError` with the
    ///   server's message if the stub is not valid.
    @discardableResult
    public func on(
        _ matcher: Stub.Match, _ message: Stub.Message, _ others: Stub.Message..., priority: Int? = nil,
        name: String? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await add([message] + others, priority, name, at: callSite) { channel in
            let said: JSONObject = matcher == .anything ? [:] : ["body": matcher.jsonValue]
            return ["type": "message", "channel": channel, "message": .object(said)]
        }
    }

    /// Sends messages to every open WebSocket when a matching HTTP request arrives, whichever stub answers it: a posted
    /// order notifies its watchers, for example. `{{request.body}}` in the texts is the body of that request.
    /// - Parameters:
    ///   - request: the requests that trigger it.
    ///   - message: the message to send.
    ///   - others: further messages to send after it.
    ///   - name: a label for reports.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: the id of the stub, for `removeStub`.
    /// - Throws: like `on`.
    @discardableResult
    public func onRequest(
        _ request: Stub.Request, _ message: Stub.Message, _ others: Stub.Message..., name: String? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Stub.ID {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await add(([message] + others).map { $0.toAll() }, nil, name, at: callSite) { _ in
            ["type": "http-request", "requestPattern": try request.checked().json]
        }
    }

    /// Removes a stub of `on` or `onRequest`. An unknown id is no error.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func removeStub(
        _ id: Stub.ID,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        _ = try await server.at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { server in
            try await server.call("DELETE", "/message-mappings/" + id.lowercasedString)
        }
    }

    /// Adds a message stub.
    /// - Parameter trigger: makes the trigger for the pattern of the channels.
    private func add(
        _ messages: [Stub.Message], _ priority: Int?, _ name: String?, at callSite: CallSite,
        trigger: (JSONValue) throws -> JSONValue
    ) async throws -> Stub.ID {
        try await server.at(callSite) { server in
            let (id, pattern) = (UUID(), try pattern.checked())
            var stub: JSONObject = ["id": .string(id.lowercasedString)]
            stub["name"] = name.map { .string($0) }
            stub["priority"] = priority.map { .number(JSONNumber($0)) }
            stub["trigger"] = try trigger(["type": "websocket", "initiatingRequestPattern": pattern.json])
            stub["actions"] = .array(try messages.map { try $0.action(for: pattern) })
            if let failure = JSONValue.object(stub).encodingFailure { throw failure }
            _ = try await server.call("POST", "/message-mappings", body: JSONValue.object(stub).compactBytes)
            return id
        }
    }
}

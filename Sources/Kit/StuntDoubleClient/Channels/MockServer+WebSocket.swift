import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// The WebSockets that clients open at a path: stubs for their messages, pushed messages, and the journal of both
    /// sides.
    ///
    /// ```swift
    /// let chat = mock.webSocket("/chat")
    /// try await chat.on("ping", "pong")
    /// let client = try await ChatClient.connect(to: mock.url.appending(path: "chat"))
    /// try await chat.send("welcome")
    /// try await chat.verify("ping", .exactly(1), within: .seconds(2))
    /// ```
    /// No declaration is needed: a path accepts WebSockets unless a stub gives another answer.
    public struct WebSocket: Sendable {
        let server: MockServer
        /// The pattern of the handshake requests.
        public let pattern: Stub.Request

        /// An open WebSocket.
        public struct Channel: Sendable, Hashable, Identifiable {
            /// The id in the server's list of channels.
            public let id: UUID
            /// The path and query of the handshake request.
            public let target: String
        }

        /// The open WebSockets, oldest first.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
        public var channels: [Channel] {
            get async throws {
                let json = try await server.admin("POST", "/channels/find", try pattern.checked().json)
                return (json["channels"]?.arrayValue ?? []).compactMap { channel in
                    guard let id = channel["id"]?.stringValue.flatMap(Stub.id(text:)) else { return nil }
                    return Channel(id: id, target: channel["initiatingRequest"]?["url"]?.stringValue ?? "")
                }
            }
        }

        /// Waits until `count` WebSockets are open.
        /// - Throws: `VerificationFailure` if fewer are open in time, unless a reporter receives it.
        public func waitForChannels(
            _ count: Int = 1, within: Duration = .seconds(5),
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws {
            let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            try await placed(at: callSite) { socket in try await socket.wait(for: count, within: within, at: callSite) }
        }

        /// Sends messages in order to every open WebSocket. Waits for one to be open first: a message sent earlier
        /// would be lost.
        /// - Parameters:
        ///   - messages: the messages; templates in them are not rendered.
        ///   - within: how long to wait for a WebSocket; zero does not wait.
        ///   - fileID: the call site for failures; omit it and the next three.
        ///   - filePath: see `fileID`.
        ///   - line: see `fileID`.
        ///   - column: see `fileID`.
        /// - Returns: the number of WebSockets that receive them.
        /// - Throws: `VerificationFailure` if none is open in time, unless a reporter receives it; `Stub.Problem` for a
        ///   value that cannot be encoded; `MockServerError` if the server cannot be reached or rejects the call.
        @discardableResult
        public func send(
            _ messages: Stub.Message..., within: Duration = .seconds(5),
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws -> Int {
            let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            return try await placed(at: callSite) { socket in
                let bodies = try messages.map { message throws(Stub.Problem) in
                    var body: JSONObject = ["type": "websocket", "message": message.action["message"] ?? .null]
                    body["initiatingRequest"] = try socket.pattern.checked().json
                    if let problem = message.problem { throw problem }
                    return body
                }
                if within > .zero { try await socket.wait(for: 1, within: within, at: callSite) }
                var count = 0
                for body in bodies {
                    let answer = try await socket.server.admin("POST", "/channels/send", .object(body))
                    count = answer["channelsMessaged"]?.intValue ?? 0
                }
                return count
            }
        }

        /// Closes every open WebSocket.
        /// - Parameters:
        ///   - code: the code of the close frame, from 1000 to 4999.
        ///   - reason: the reason text, at most 123 bytes.
        ///   - fileID: the call site for errors; omit it and the next three.
        ///   - filePath: see `fileID`.
        ///   - line: see `fileID`.
        ///   - column: see `fileID`.
        /// - Returns: the number closed.
        /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, for example for an invalid
        ///   code.
        @discardableResult
        public func close(
            code: Int = 1000, reason: String = "",
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws -> Int {
            let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            return try await placed(at: callSite) { socket in
                let channels = try await socket.channels
                let query = "?code=\(code)&reason=\(URLEscaping.component(reason))"
                for channel in channels {
                    try await socket.server.admin("DELETE", "/channels/\(channel.id.lowercasedString)\(query)")
                }
                return channels.count
            }
        }
    }
}

extension MockServer {
    /// The WebSockets of matching handshakes: a path, or a whole pattern such as
    /// `.get("/chat").header("Origin", .present)`.
    public func webSocket(_ pattern: Stub.Request = .any) -> MockServer.WebSocket {
        MockServer.WebSocket(server: self, pattern: pattern)
    }
}

extension MockServer.WebSocket {
    /// Runs a call of several steps on the kit's threads, with its call site.
    func placed<Result: Sendable>(
        at callSite: CallSite, _ body: @Sendable @escaping (MockServer.WebSocket) async throws -> Result
    ) async throws -> Result {
        try await server.at(callSite) { server in
            let socket = MockServer.WebSocket(server: server, pattern: pattern)
            return try await KitThreads.run { try await body(socket) }
        }
    }

    /// The path for messages: `/chat`, `any path`.
    var place: String {
        if pattern == .any { return "any path" }
        let text = pattern.summary
        return text.hasPrefix("ANY ") || text.hasPrefix("GET ") ? String(text.dropFirst(4)) : text
    }

    /// Polls the list of channels: neither the admin API nor the journal can wait for a WebSocket to open.
    private func wait(for count: Int, within: Duration, at callSite: CallSite) async throws {
        let deadline = ContinuousClock.now + within
        var pause = 1
        while true {
            let channels = try await channels
            if channels.count >= count { return }
            guard ContinuousClock.now < deadline else {
                return try server.report(VerificationFailure(failureText(count, channels, within), at: callSite))
            }
            await KitThreads.pause(milliseconds: pause)
            try Task.checkCancellation()
            pause = min(pause * 2, 20)
        }
    }

    private func failureText(_ count: Int, _ channels: [Channel], _ within: Duration) -> String {
        "expected \(count == 1 ? "a WebSocket" : "\(count) WebSockets") open at \(place) within \(within), "
            + (channels.isEmpty ? "none is" : "only \(channels.count) \(channels.count == 1 ? "is" : "are")")
    }
}

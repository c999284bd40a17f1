import Foundation
import StuntDoubleClient
import Testing

/// The examples about WebSockets of the pages `docs/websocket.md` and `docs/swift/client.md`.
@Suite struct WebSocketPageTests {
    private struct Command: Codable, Equatable {
        let type: String
    }

    @Test func aChatIsPlayed() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            try await chat.on(.json(["type": "ping"]), .json(["type": "pong"]))
            try await chat.on(.startsWith("hello"), "{{message.body}} yourself", .json(["members": 2]))

            let client = try ChatClient(mock.url.appending(path: "chat"))
            try client.say("hello")
            #expect(client.hear() == .text("hello yourself"))

            try await chat.send(.json(["type": "bell"]))
            try client.say(#"{"type": "leave"}"#)
            let last = try await chat.waitForMessage(.jsonPath("$.type"))
            #expect(try last?.decode(as: Command.self) == Command(type: "leave"))
            try await chat.verify("hello", .exactly(1))
            try await chat.close(code: 1001, reason: "closing time")
        }
    }

    @Test func aFailureTellsWhatWasSaidInstead() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            try await chat.on("hello", "hello yourself")
            let client = try ChatClient(mock.url.appending(path: "chat"))
            try client.say("hello")
            #expect(client.hear() == .text("hello yourself"))
            let failure = try await failure { try await chat.verify(.contains("ping"), .exactly(1)) }
            #expect(
                failure.message == """
                    expected a message at /chat that contains "ping" exactly once, received none
                    the messages there:
                        sent "hello yourself"
                        received "hello"
                    """)
        }
    }

    @Test func messagesAreReadAsTheyCome() async throws {
        try await withSession { mock in
            let client = try ChatClient(mock.url.appending(path: "chat"))
            try client.say(#"{"type": "enter"}"#)
            try client.say(#"{"type": "leave"}"#)
            var commands: [String] = []
            for try await message in mock.webSocket("/chat").incoming {
                let command = try message.decode(as: Command.self)
                commands.append(command.type)
                if command.type == "leave" { break }
            }
            #expect(commands == ["enter", "leave"])
        }
    }
}

import Foundation
import StuntDoubleClient
import Testing

@Suite struct WebSocketTests {
    private struct Said: Codable, Equatable {
        let type: String
        var n: Int?
    }

    private func client(_ mock: MockServer, _ path: String = "chat") throws -> ChatClient {
        try ChatClient(URL(string: "\(mock.url)/\(path)") ?? mock.url)
    }

    @Test func messagesAreAnsweredAndRead() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            try await chat.on(.anything, "what?", priority: 9)
            try await chat.on("ping", "pong", .json(Said(type: "pong", n: 1)))
            try await chat.on(.json(["type": "ping"]), .text("{{jsonPath message.body '$.type'}} at {{request.path}}"))
            try await chat.on(.data([1, 2, 255]), .data([3, 0, 254]))
            let client = try client(mock)
            try client.say("ping")
            #expect(client.hear() == .text("pong"))
            #expect(client.hear() == .text(#"{"n":1,"type":"pong"}"#))
            try client.say(#"{"type": "ping"}"#)
            #expect(client.hear() == .text("ping at /chat"))
            try client.say([1, 2, 255])
            #expect(client.hear() == .bytes([3, 0, 254]))
            try client.say("else")
            #expect(client.hear() == .text("what?"))

            let received = try await chat.received
            #expect(received.map(\.text) == ["ping", #"{"type": "ping"}"#, "\u{1}\u{2}\u{FFFD}", "else"])
            #expect(try received[1].decode(as: Said.self) == Said(type: "ping"))
            #expect(try received[1].json["type"] == "ping")
            #expect(received[2].isBinary && received[2].data == Data([1, 2, 255]))
            #expect(received.allSatisfy { $0.wasMatched })
            let sent = try await chat.sent
            #expect(sent.map(\.isBinary) == [false, false, false, true, false])
            #expect(sent[3].data == Data([3, 0, 254]))
            #expect(try await chat.messages.prefix(3).map(\.direction) == [.sent, .sent, .received])
            #expect(try await chat.messages.count == 9)
            let error = #expect(throws: MockServerError.self) { try received[0].decode(as: Said.self) }
            #expect(error?.message.hasSuffix("it is: ping") == true)
        }
    }

    @Test func pathsAndSessionsDoNotSeeEachOther() async throws {
        try await withSession { one in
            try await withSession { other in
                try await one.webSocket("/chat").on(.anything, "one")
                try await other.webSocket("/chat").on(.anything, "other")
                try await other.webSocket("/news/{topic}").on(.anything, "news of {{request.path.topic}}")
                let clients = [try client(one), try client(other), try client(other, "news/tea")]
                for client in clients { try client.say("x") }
                #expect(clients.map { $0.hear() } == [.text("one"), .text("other"), .text("news of tea")])
                #expect(try await one.webSocket().received.count == 1)
                #expect(try await other.webSocket("/chat").received.count == 1)
                #expect(try await other.webSocket().received.count == 2)
                #expect(try await other.webSocket("/news/{topic}").channels.map(\.target) == ["/news/tea"])
            }
        }
    }

    @Test func theTestSendsAndCloses() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            let (first, second) = (try client(mock), try client(mock))
            try await chat.waitForChannels(2)
            #expect(try await chat.send("{{as it is}}", .json(["n": [1, 2]]), .data([9])) == 2)
            for client in [first, second] {
                #expect(client.hear() == .text("{{as it is}}"))
                #expect(client.hear() == .text(#"{"n":[1,2]}"#))
                #expect(client.hear() == .bytes([9]))
            }
            try await chat.on("all", .text("to {{message.body}}").toAll())
            try first.say("all")
            #expect([first.hear(), second.hear()] == [.text("to all"), .text("to all")])
            try await chat.onRequest(.post("/orders"), .text("ordered {{request.body}}"))
            _ = try await StuntDoubleClientTests.send("POST", "/orders", body: "tea", to: mock)
            #expect([first.hear(), second.hear()] == [.text("ordered tea"), .text("ordered tea")])
            #expect(try await chat.close(code: 4001, reason: "enough") == 2)
            #expect([first.hear(), second.hear()] == [.close(4001), .close(4001)])
            await #expect(throws: MockServerError.self) { try await mock.callAdmin("DELETE", "/channels/x?code=9") }
            let other = mock.webSocket("/other")
            let failure = try await failure { try await other.send("x", within: .milliseconds(20)) }
            #expect(failure.message == "expected a WebSocket open at /other within 0.02 seconds, none is")
        }
    }

    @Test func aStubIsRemoved() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            try await chat.on("a", "first")
            let id = try await chat.on("a", "second", name: "second")
            let client = try client(mock)
            try client.say("a")
            #expect(client.hear() == .text("second"))
            #expect(try await chat.received.first?.stub == id)
            try await chat.removeStub(id)
            try client.say("a")
            #expect(client.hear() == .text("first"))
        }
    }

    @Test func whatCannotBeSentIsToldAtItsLine() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            let error = await #expect(throws: Stub.Problem.self) { try await chat.on("a", .json(Double.nan)) }
            #expect(error?.description.contains("cannot encode Double as JSON") == true)
            #expect(error?.description.contains("WebSocketTests.swift") == true)
            await #expect(throws: Stub.Problem.self) { try await mock.webSocket("chat").on("a", "b") }
            let refused = await #expect(throws: MockServerError.self) { try await chat.on(.matching("("), "b") }
            #expect(refused?.status == 422)
        }
    }
}

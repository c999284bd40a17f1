import Foundation
import StuntDoubleClient
import Testing

@Suite struct WebSocketWaitTests {
    private func client(_ mock: MockServer) throws -> ChatClient { try ChatClient(mock.url.appending(path: "chat")) }

    @Test func aMessageIsAwaited() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            try await chat.on(.anything, "hello {{message.body}}")
            let client = try client(mock)
            try client.say("ada")
            let message = try #require(try await chat.waitForMessage(.startsWith("a"), within: .seconds(300)))
            #expect(message.text == "ada")
            async let two = chat.waitForMessages(3, .contains("ada"), within: .seconds(300))
            try client.say("ada again")
            try client.say("ada again and again")
            #expect(try await two.map(\.text) == ["ada", "ada again", "ada again and again"])
        }
    }

    @Test func whatDoesNotComeIsToldWithWhatDid() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            try await chat.on("hi", .json(["n": 1]), .data([1, 2]))
            var failure = try await failure { try await chat.waitForMessage("ping", within: .milliseconds(20)) }
            #expect(
                failure.message == """
                    expected a message at /chat that equalTo "ping" within 0.02 seconds, received none
                    nothing was said there, and no WebSocket is open
                    """)
            let client = try client(mock)
            try client.say("hi")
            _ = (client.hear(), client.hear())
            failure = try await StuntDoubleClientTests.failure {
                try await chat.waitForMessages(2, "hi", within: .milliseconds(20))
            }
            #expect(
                failure.message == """
                    expected a message at /chat that equalTo "hi" 2 times within 0.02 seconds, received 1
                    the messages there:
                        sent "{\\"n\\":1}"
                        sent 2 bytes
                        received "hi"
                    """)
        }
    }

    @Test func countsAreVerified() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            // An echo is no message of a client.
            try await chat.on(.anything, "{{message.body}}")
            let client = try client(mock)
            for text in ["a", "b", "a"] {
                try client.say(text)
                #expect(client.hear() == .text(text))
            }
            try await chat.verify("a", .exactly(2), within: .seconds(300))
            try await chat.verify(.anything, .atLeast(3))
            try await chat.verify("c", .never)
            try await chat.verify("b", .atMost(1), within: .milliseconds(10))
            var failure = try await failure { try await chat.verify("a", .once) }
            #expect(
                failure.message.hasPrefix("expected a message at /chat that equalTo \"a\" exactly once, received 2\n"))
            failure = try await StuntDoubleClientTests.failure { try await chat.verify("c", within: .milliseconds(10)) }
            #expect(failure.message.contains("at least once within 0.01 seconds, received none\nthe messages there:\n"))
            #expect(failure.callSite.fileID.hasSuffix("WebSocketWaitTests.swift"))
        }
    }

    @Test func messagesAreReadAsTheyCome() async throws {
        try await withSession { mock in
            let chat = mock.webSocket("/chat")
            try await chat.on(.anything, "{{message.body}}")
            let client = try client(mock)
            try client.say("0")
            #expect(client.hear() == .text("0"))
            var texts: [String] = []
            for try await message in chat.incoming {
                texts.append(message.text)
                if message.text == "4" { break }
                if message.text == "2" { try await mock.callAdmin("DELETE", "/messages") }
                try client.say("\(texts.count)")
            }
            #expect(texts == ["0", "1", "2", "3", "4"])
        }
    }

    @Test func readingEndsWithItsTaskAndWithTheSession() async throws {
        try await withSession { mock in
            let (incoming, reading) = (mock.webSocket("/chat").incoming, Task { try await KitTask.read(mock) })
            reading.cancel()
            #expect(try await reading.value == 0)
            let other = try await mock.makeSession()
            let socket = try ChatClient(other.url.appending(path: "chat"))
            try socket.say("x")
            var iterator = other.webSocket("/chat").incoming.makeAsyncIterator()
            #expect(try await iterator.next()?.text == "x")
            async let last = iterator.next()
            try await other.end()
            #expect(try await last == nil)
            _ = incoming
        }
    }

    private enum KitTask {
        static func read(_ mock: MockServer) async throws -> Int {
            var count = 0
            for try await _ in mock.webSocket("/chat").incoming { count += 1 }
            return count
        }
    }
}

import SDCTestTransports
import SDHTTPTransport
import SDTestSupport
import Testing

/// What a loop posts to itself.
@Suite struct RunQueueTests {
    /// More than its queue has room for at first, or keeps room for.
    private static let many = 5000

    @Test func whatALoopPostsToItselfTakesNoMailbox() throws {
        let server = try TestServer()
        let loop = server.server.loop()
        nonisolated(unsafe) let raw = server.server.loop(of: 0)
        let ran = Locked<[Int]>([])
        let done = Events<Bool>()
        for _ in 0..<2 {
            loop.perform {
                for number in 0..<Self.many { loop.perform { ran.withLock { $0.append(number) } } }
                let isUntouched = mailbox_is_untouched(raw)
                loop.perform { done.tell(isUntouched) }
            }
            #expect(done.next() == true)
            #expect(ran.withLock { $0 } == Array(0..<Self.many))
            ran.withLock { $0 = [] }
        }
    }

    /// Whoever knows that a job was posted before its own relies on the order.
    @Test func jobsRunInTheOrderOfTheirPosts() throws {
        let server = try TestServer()
        let loop = server.server.loop()
        let ran = Locked<[String]>([])
        let done = Events<[String]>()
        let asked = Events<Bool>()
        let posted = Events<Void>()
        @Sendable func run(_ name: String) { loop.perform { ran.withLock { $0.append(name) } } }
        runOnThread {
            while asked.next() == true {
                run("other")
                posted.tell(())
            }
        }
        for _ in 0..<20 {
            loop.perform {
                run("own 1")
                run("own 2")
                asked.tell(true)
                _ = posted.next()
                run("own 3")
                loop.perform {
                    // Behind all that waits, of which the loop may have begun a part.
                    run("own 4")
                    loop.perform { loop.perform { done.tell(ran.withLock { $0 }) } }
                }
            }
            #expect(done.next() == ["own 1", "own 2", "other", "own 3", "own 4"])
            ran.withLock { $0 = [] }
        }
        asked.tell(false)
    }

    /// A job that posts itself again and again lets sockets, timers and the jobs of others have their turns.
    @Test func aJobThatPostsItselfStarvesNobody() throws {
        let server = try TestServer(limits: .patient) { _, reply in
            reply.send(script(answer("served"), .end(.keepAlive)))
        }
        let loop = server.server.loop()
        let isOver = Locked(false)
        let rounds = Locked(0)
        let events = Events<String>()
        @Sendable func again() {
            rounds.withLock { $0 += 1 }
            if isOver.withLock({ $0 }) { events.tell("over") } else { loop.perform(again) }
        }
        loop.perform(again)
        let client = try RawClient(port: server.port)
        for _ in 0..<20 {
            try client.send(get("/"))
            #expect(client.receive(answered("served").count).bytes == answered("served"))
        }
        loop.after(nanoseconds: 1) { events.tell("timer") }
        #expect(events.next() == "timer")
        loop.perform { events.tell("other") }
        #expect(events.next() == "other")
        #expect(rounds.withLock { $0 } > 20)
        isOver.withLock { $0 = true }
        #expect(events.next() == "over")
    }

    /// What was posted when a loop ends is done, also what that posts.
    @Test func whatIsPostedAtTheEndIsDone() throws {
        var server: TestServer? = try TestServer()
        let loop = try #require(server?.server.loop())
        let ran = Events<String>()
        let stopped = try #require(server?.server)
        loop.perform {
            stopped.stop()
            loop.perform {
                ran.tell("first")
                loop.perform { ran.tell("second") }
            }
        }
        #expect(ran.next() == "first")
        #expect(ran.next() == "second")
        server = nil
        #expect(!loop.perform { ran.tell("late") })
    }
}

import SDHTTPTransport
import SDTestSupport
import Testing

/// Descriptors of others, and timers, on any loop of a server.
@Suite struct DescriptorWatchTests {
    private static let workers = 3

    /// Does something on a worker's thread and returns what it made.
    private func on<Value: Sendable>(
        _ server: TestServer, _ worker: Int, _ body: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let done = Events<Result<Value, any Error>>()
        server.server.post(worker: worker) { done.tell(Result(catching: body)) }
        return try #require(done.next()).get()
    }

    private func thread(_ server: TestServer, _ worker: Int) throws -> UInt {
        try on(server, worker) { ThreadIdentity.current }
    }

    @Test(arguments: 0..<workers)
    func aTimerFiresOnTheThreadOfItsWorker(worker: Int) throws {
        let server = try TestServer(workers: Self.workers)
        let fired = Events<UInt>()
        server.server.loop(worker).after(nanoseconds: milliseconds(5)) { fired.tell(ThreadIdentity.current) }
        #expect(try fired.next() == thread(server, worker))
        try on(server, worker) {
            server.server.loop(worker).after(nanoseconds: milliseconds(20)) { fired.tell(0) }.cancel()
        }
        #expect(fired.next(within: 60) == nil)
    }

    @Test func eachWorkerHasItsOwnThread() throws {
        let server = try TestServer(workers: Self.workers)
        #expect(try Set((0..<Self.workers).map { try thread(server, $0) }).count == Self.workers)
    }

    @Test(arguments: 0..<workers)
    func aWatchReportsBytesOnTheThreadOfItsWorker(worker: Int) throws {
        let server = try TestServer(workers: Self.workers)
        let pair = try SocketPair()
        let ready = Events<(what: Readiness, thread: UInt)>()
        let watch = try on(server, worker) {
            try server.server.loop(worker).watch(descriptor: pair.near, for: .readable) { what in
                _ = pair.receive()
                ready.tell((what, ThreadIdentity.current))
            }
        }
        #expect(ready.next(within: 20) == nil)
        for _ in 1...3 {
            pair.sendFromFar()
            let told = try #require(ready.next())
            #expect(told.what == .readable)
            #expect(try told.thread == thread(server, worker))
        }
        try on(server, worker) { watch.stop() }
        pair.sendFromFar()
        #expect(ready.next(within: 20) == nil)
    }

    @Test func aWatchReportsRepeatedlyWhileTheDescriptorIsReady() throws {
        let server = try TestServer(workers: 2)
        let pair = try SocketPair()
        let ready = Events<Readiness>()
        let watch = try on(server, 1) {
            try server.server.loop(1).watch(descriptor: pair.near, for: .writable) { ready.tell($0) }
        }
        for _ in 1...3 { #expect(ready.next() == .writable) }
        try on(server, 1) { watch.stop() }
    }

    @Test func theInterestOfAWatchChanges() throws {
        let server = try TestServer(workers: 2)
        let pair = try SocketPair()
        let ready = Events<Readiness>()
        let watch = try on(server, 1) {
            try server.server.loop(1).watch(descriptor: pair.near, for: []) { ready.tell($0) }
        }
        pair.sendFromFar()
        #expect(ready.next(within: 20) == nil)
        try on(server, 1) { try watch.change(to: [.readable, .writable]) }
        let both = Set([try #require(ready.next()).rawValue, try #require(ready.next()).rawValue])
        #expect(both == [Readiness.readable.rawValue, Readiness.writable.rawValue])
        try on(server, 1) { try watch.change(to: []) }
        while ready.next(within: 0) != nil {}
        #expect(ready.next(within: 20) == nil)
        try on(server, 1) { watch.stop() }
    }

    @Test func aWatchMayStopItselfAndFreesItsClosure() throws {
        let server = try TestServer(workers: 2)
        let pair = try SocketPair()
        let done = Events<Void>()
        let own = Locked<DescriptorWatch?>(nil)
        weak var seen: EndObserver?
        do {
            let captured = EndObserver()
            seen = captured
            let watch = try on(server, 1) {
                try server.server.loop(1).watch(descriptor: pair.near, for: .readable) { _ in
                    own.withLock { $0.take() }?.stop()
                    withExtendedLifetime(captured) { done.tell(()) }
                }
            }
            own.withLock { $0 = watch }
        }
        pair.sendFromFar()
        #expect(done.next() != nil)
        _ = try thread(server, 1)
        #expect(seen == nil)
        #expect(done.next(within: 20) == nil)
    }

    @Test func aServerThatEndsReleasesItsWatches() throws {
        var server: TestServer? = try TestServer(workers: 2)
        weak let inner = server?.server
        let pair = try SocketPair()
        weak var seen: EndObserver?
        let watch: DescriptorWatch
        do {
            let running = try #require(server)
            let captured = EndObserver()
            seen = captured
            watch = try on(running, 1) {
                // Keeps its own server, as an upstream's does.
                try running.server.loop(1).watch(descriptor: pair.near, for: .readable) {
                    [owner = running.server] _ in
                    withExtendedLifetime((captured, owner)) {}
                }
            }
            // What made the watch has gone.
            _ = try thread(running, 1)
        }
        server = nil
        #expect(seen == nil)
        #expect(inner == nil)
        watch.stop()
        try watch.change(to: .readable)
    }

    @Test func anUnwatchableDescriptorIsAnError() throws {
        let server = try TestServer(workers: 2)
        let folder = try TemporaryFolder()
        let file = try OpenFile(in: folder)
        let error = #expect(throws: TransportError.self) {
            try on(server, 1) {
                try server.server.loop(1).watch(descriptor: file.descriptor, for: .readable) { _ in }
            }
        }
        #expect(error?.operation == "watch descriptor \(file.descriptor)")
        #expect(error?.reason == "Operation not permitted")
        let ended = try TestServer()
        ended.server.stopAndWait()
        let pair = try SocketPair()
        #expect(throws: TransportError.self) {
            try ended.server.loop().watch(descriptor: pair.near, for: .readable) { _ in }
        }
    }
}

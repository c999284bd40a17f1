import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Synchronization
import Testing

/// A server whose answers come through relays, as a test says.
struct RelayingServer {
    let server: TestServer
    /// Counts what waits in the relays.
    let account: MemoryAccount
    let ends = Events<StreamEnd>()
    private let answers = Events<RelayedAnswer>()

    init(onScript: (@Sendable (WireScript) -> Void)? = nil) throws {
        let account = MemoryLedger().account(.answers)
        self.account = account
        var limits = ServerLimits.patient
        limits.streams = 20
        server = try TestServer(limits: limits) { [ends, answers] _, reply in
            let stream = reply.hold(onScript: onScript) { ends.tell($0) }
            answers.tell(RelayedAnswer(stream, account))
        }
    }

    /// The answer to the next request.
    func next() throws -> RelayedAnswer { try #require(answers.next()) }
}

/// An answer that comes through a relay.
///
/// `@unchecked Sendable`: it is used on the loop's thread, and by the test while that waits for it.
final class RelayedAnswer: @unchecked Sendable {
    let stream: StreamingReply
    let relay: BodyRelay
    private(set) var added = 0
    private(set) var rooms = 0
    private(set) var gone = 0
    /// What is still to be fed.
    private var rest: ArraySlice<UInt8> = []
    private var sizes: [Int] = []

    init(_ stream: StreamingReply, _ account: MemoryAccount) {
        self.stream = stream
        relay = BodyRelay(in: account)
        relay.onRoom = { [weak self] in
            guard let self else { return }
            rooms += 1
            feedOn()
        }
        relay.onGone = { [weak self] in self?.gone += 1 }
    }

    /// Does something on the loop's thread, and waits for it.
    func perform(_ work: @escaping @Sendable (RelayedAnswer) -> Void) {
        let done = Events<Void>()
        stream.loop.perform { [self] in
            work(self)
            done.tell(())
        }
        _ = done.next()
    }

    /// - Returns: whether more may be added.
    func add(_ bytes: [UInt8]) -> Bool {
        added += bytes.count
        return bytes.withUnsafeBufferPointer { relay.add($0) }
    }

    /// Adds bytes in pieces of these sizes, which repeat, as there is room for them, and closes the relay behind them.
    func feed(_ bytes: [UInt8], sizes: [Int]) {
        (rest, self.sizes) = (bytes[...], sizes)
        feedOn()
    }

    private func feedOn() {
        while let size = sizes.first {
            sizes = sizes.dropFirst() + [size]
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            let goesOn = add(Array(piece))
            if rest.isEmpty {
                sizes = []
                relay.close()
            } else if !goesOn {
                return
            }
        }
    }
}

import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

@testable import SDUpstream

/// How calls in HTTP/2 end whose user takes long, takes nothing for a while, or leaves.
@Suite struct HTTP2EndingTests {
    private typealias Calls = HTTP2CallTests

    private static let wholeAnswer = Calls.ok + Calls.data("x", ends: true)

    /// A user that keeps the loop for longer than one turn has while it is told of an answer, of which more has come: the connection
    /// is closed by then, and nothing waits for its next turn.
    @Test(
        arguments: [wholeAnswer, Calls.ok + Calls.data("x") + Calls.reset(8), Calls.ok + Calls.data("x"), []],
        [false, true])
    func aCallMayEndWithinALongRead(bytes: [UInt8], leaves: Bool) throws {
        let isBroken = bytes != Self.wholeAnswer
        // More than is looked at before the clock is read.
        let behind = [UInt8](
            repeatElement(HTTP2Frame(.ping, 1, [UInt8](repeating: 0, count: 8)).bytes, count: 1_000).joined())
        let server = try Calls.server { client in
            try client.send(
                (bytes.isEmpty ? Calls.fields([(":status", "103")]) : bytes) + HTTP2Frame(.ping, []).bytes + behind)
        }
        let caller = try Caller()
        for _ in 0..<5 {
            let user = SlowUser(leaves: leaves)
            user.transfer.withLock { $0 = caller.upstream.start(Calls.request(server), on: caller.loop, user) }
            if leaves {
                #expect(user.told.next() != nil)
            } else {
                #expect(try user.answer.whole().problem == nil || isBroken)
            }
        }
        let other = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try caller.get("http://127.0.0.1:\(other.port)/").text == "hi")
    }

    /// An answer that has come to its end is whole, though its user takes the rest only after the server has reset the connection.
    @Test(arguments: [false, true]) func aResetBehindAnAnswerTakesNothingOfIt(hasTrailers: Bool) throws {
        let (go, gone) = (Events<Void>(), Events<Void>())
        let server = try Calls.server { client in
            try client.send(HTTP2Frame(.settings, 1).bytes + Calls.ok)
            guard go.next() != nil else { return }
            for _ in 0..<10 { try client.send(Calls.data(String(repeating: "x", count: 10_000))) }
            try client.send(hasTrailers ? Calls.fields([("x-t", "1")], ends: true) : Calls.data("", ends: true))
            client.reset()
            gone.tell(())
        }
        let caller = try Caller()
        let answer = caller.start(Calls.request(server))
        guard case .answered = answer.events.next() else { return #expect(Bool(false), "no head came") }
        answer.transfer.withLock { $0?.setReading(false) }
        go.tell(())
        #expect(gone.next() != nil)
        // By the time that the loop has made another call, it knows of the reset.
        let other = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        for _ in 0..<3 { #expect(try caller.get("http://127.0.0.1:\(other.port)/").text == "hi") }
        answer.transfer.withLock { $0?.setReading(true) }
        let whole = try answer.whole()
        #expect(whole.problem == nil && whole.body.count == 100_000, "\(String(describing: whole.problem))")
        #expect(whole.trailers.map(\.name) == (hasTrailers ? ["x-t"] : []))
    }

    /// A server that says nothing of the answer is not listened to without end by a user who takes nothing.
    @Test func whoTakesNothingIsNotTalkedTo() throws {
        let (go, stuck) = (Events<Void>(), Events<Bool>())
        let talk = [UInt8](
            repeatElement(HTTP2Frame(.ping, 1, [UInt8](repeating: 0, count: 8)).bytes, count: 4_000).joined())
        let server = try Calls.server { client in
            try client.send(Calls.ok)
            guard go.next() != nil else { return }
            try client.send(Calls.data("x"))
            var rest = talk[...]
            var rounds = 0
            while !rest.isEmpty, client.waitUntilSendable(milliseconds: 500) {
                rest = rest.dropFirst(try client.sendWithoutWaiting(Array(rest)))
                if rest.isEmpty, rounds < 2_000 { (rest, rounds) = (talk[...], rounds + 1) }
            }
            stuck.tell(!rest.isEmpty)
            try client.send(Array(rest) + Calls.data("y", ends: true))
        }
        let caller = try Caller()
        let answer = caller.start(Calls.request(server))
        guard case .answered = answer.events.next() else { return #expect(Bool(false), "no head came") }
        answer.transfer.withLock { $0?.setReading(false) }
        go.tell(())
        #expect(stuck.next() == true)
        answer.transfer.withLock { $0?.setReading(true) }
        let whole = try answer.whole()
        #expect(whole.problem == nil && whole.text == "xy", "\(whole)")
    }
}

/// A user that takes several turns for each thing it is told.
private final class SlowUser: UpstreamObserver {
    let answer = Answer()
    let transfer = Locked<UpstreamTransfer?>(nil)
    /// Told once it has left.
    let told = Events<Void>()
    private let leaves: Bool

    init(leaves: Bool) {
        self.leaves = leaves
    }

    private func takeLong() {
        SystemCalls.pause(milliseconds: 20)
        guard leaves else { return }
        transfer.withLock { $0?.cancel() }
        told.tell(())
    }

    func upstreamInforms(_ head: UpstreamHead) {
        answer.upstreamInforms(head)
        takeLong()
    }

    func upstreamAnswers(_ head: UpstreamHead) {
        answer.upstreamAnswers(head)
        if !leaves { takeLong() }
    }

    func upstreamSends(_ bytes: [UInt8]) {
        answer.upstreamSends(bytes)
        takeLong()
    }

    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        answer.upstreamEnds(end)
    }
}

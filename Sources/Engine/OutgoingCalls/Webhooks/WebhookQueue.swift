import SDHTTPTransport
import SDJournal
import SDPlatform
import Synchronization

/// All webhooks of the process that have started and not ended. Limits their number, their memory, and the number sent
/// to one server at a time, so that a stalled server delays no calls to others.
package final class WebhookQueue: Sendable {
    /// The largest number of webhooks that have not ended.
    package static let longest = 10_000
    /// The largest number sent to one server at a time.
    package static let widest = 64
    /// The denominator of the part of the memory limit that they may use together.
    package static let share = 4

    private struct Target {
        var running = 0
        /// The waiting webhooks; the next one is at `first`.
        var waiting: [(@Sendable () -> Void)?] = []
        var first = 0
    }

    private struct State {
        var pending = 0
        /// The bytes that they use.
        var bytes = 0
        var lost = 0
        var sent = 0
        var failed = 0
        var targets: [String: Target] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int
    private let width: Int

    package init(limit: Int = WebhookQueue.longest, width: Int = WebhookQueue.widest) {
        self.limit = limit
        self.width = width
    }

    /// The number of webhooks that have not ended.
    package var pending: Int { state.withLock { $0.pending } }

    /// The number of webhooks that ended with their loop, unsent or unanswered.
    package var lost: Int { state.withLock { $0.lost } }

    /// The number of webhooks that were sent, and of those that failed or were lost.
    package var results: (sent: Int, failed: Int) { state.withLock { ($0.sent, $0.failed + $0.lost) } }

    /// Counts the result of a webhook.
    func ended(isBad: Bool) {
        state.withLock { state in
            if isBad { state.failed += 1 } else { state.sent += 1 }
        }
    }

    /// Counts a webhook.
    /// - Returns: false if there are too many.
    func admit() -> Bool {
        state.withLock { state in
            guard state.pending < limit else { return false }
            state.pending += 1
            return true
        }
    }

    /// Reserves memory for a webhook.
    /// - Parameter limit: the largest number of bytes for all of them together; a single one may exceed it.
    /// - Returns: false if it does not fit together with the others.
    func hold(_ bytes: Int, limit: Int) -> Bool {
        state.withLock { state in
            guard state.bytes == 0 || bytes <= limit - state.bytes else { return false }
            state.bytes += bytes
            return true
        }
    }

    /// - Parameter bytes: the bytes that it used.
    func leave(bytes: Int, isLost: Bool) {
        state.withLock { state in
            state.pending -= 1
            state.bytes -= bytes
            if isLost { state.lost += 1 }
        }
    }

    /// Calls `work` once fewer than `widest` webhooks are being sent to a server: at once, or on the thread that ends
    /// another. Each call must be balanced by `done`.
    func enter(_ target: String, _ work: @escaping @Sendable () -> Void) {
        let mayRun = state.withLock { state in
            guard state.targets[target, default: Target()].running < width else {
                state.targets[target]?.waiting.append(work)
                return false
            }
            state.targets[target, default: Target()].running += 1
            return true
        }
        if mayRun { work() }
    }

    func done(_ target: String) {
        let next = state.withLock { state -> (@Sendable () -> Void)? in
            guard var known = state.targets[target] else { return nil }
            let next = known.first < known.waiting.count ? known.waiting[known.first].take() : nil
            if next == nil {
                known.running -= 1
            } else {
                known.first += 1
                if known.first == known.waiting.count || known.first > 64 && known.first > known.waiting.count / 2 {
                    known.waiting.removeFirst(known.first)
                    known.first = 0
                }
            }
            state.targets[target] = known.running == 0 ? nil : known
            return next
        }
        next?()
    }
}

/// A webhook that has not ended. It keeps a draining server's loop running, and its session from being idle.
final class WebhookTicket: Sendable {
    private let session: any CallingSession
    private let loop: Loop
    private let charge: MemoryCharge
    /// Its number in reports.
    let number: Int
    private let held = Atomic(0)
    private let hasEnded = Atomic(false)

    /// The memory of a webhook without its texts, in bytes.
    private static let least = 2 << 10

    /// Called on the loop's thread.
    /// - Returns: nil if there are too many webhooks.
    init?(_ session: any CallingSession, _ loop: Loop) {
        guard session.webhooks.admit() else { return nil }
        self.session = session
        self.loop = loop
        charge = MemoryCharge(Self.least, to: session.memory.account(.webhooks))
        number = session.webhookLedger.began()
        session.activity.beganFollowing()
        loop.hold()
    }

    /// Reserves memory for the request, once.
    /// - Returns: why it is refused, as a clause; nil if it is not.
    func refusal(of bytes: Int) -> String? {
        let limit = session.memory.limit / WebhookQueue.share
        guard session.webhooks.hold(bytes, limit: limit) else {
            return "the webhooks that have not ended hold \(limit >> 20) MiB, 1/\(WebhookQueue.share) of --max-memory"
        }
        held.store(bytes, ordering: .relaxed)
        guard bytes <= limit || session.memory.hasRoom(for: bytes, refusing: "a webhook") else {
            return "its body of \(bytes) bytes finds no room within --max-memory"
        }
        charge.add(bytes)
        return nil
    }

    /// Charges the stored part of an answer.
    func charge(_ bytes: Int) { charge.add(bytes) }

    /// Called on the loop's thread once the webhook was answered or has failed for good.
    func end() {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        charge.end()
        session.webhookLedger.left(number)
        session.webhooks.leave(bytes: held.load(ordering: .relaxed), isLost: false)
        loop.letGo()
        session.activity.followUpEnded(at: SystemCalls.monotonicNanoseconds())
    }

    deinit {
        // The loop ended before the webhook.
        guard !hasEnded.load(ordering: .relaxed) else { return }
        session.webhookLedger.ended(number, "it ended with its loop, unsent or unanswered", isBad: true)
        session.webhooks.leave(bytes: held.load(ordering: .relaxed), isLost: true)
        session.activity.followUpEnded(at: SystemCalls.monotonicNanoseconds())
    }
}

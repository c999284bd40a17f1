import Synchronization

/// A category of memory that grows with what clients do.
public enum MemoryHolder: String, Sendable, CaseIterable {
    /// Requests in journals.
    case journals
    /// Body files that were read, in each variant that is sent.
    case bodies
    /// WebSocket messages in the journal, and those that clients have not received yet.
    case messages
    /// Admin API answers that clients have not received yet, and requests in a listing that the journal has dropped
    /// meanwhile.
    case answers
    /// Events that readers have not received yet.
    case events
    /// Request bodies, from their first bytes until the answer.
    case uploads
    /// Records that requests have created or changed.
    case data
    /// Session state stored by stubs.
    case state
    /// Recorded exchanges, and response bodies already sent that listeners still need.
    case recordings
    /// Webhooks in progress.
    case webhooks
    /// The state of HTTP/2 connections, without their requests.
    case connections
    /// The names of sessions, including ended ones.
    case names
}

/// Accounts for the memory that grows with what clients do, and reclaims it when it exceeds the limit.
///
/// A change costs one addition. The sum is checked once for each MiB by which a holder grows or shrinks.
public final class MemoryLedger: Sendable {
    /// The maximum number of bytes of all holders together.
    public let limit: Int

    // Counters are only added to; they publish no other data.
    private let journals = Atomic(0)
    private let bodies = Atomic(0)
    private let messages = Atomic(0)
    private let answers = Atomic(0)
    private let events = Atomic(0)
    private let uploads = Atomic(0)
    private let data = Atomic(0)
    private let stateStores = Atomic(0)
    private let recordings = Atomic(0)
    private let webhooks = Atomic(0)
    private let connections = Atomic(0)
    private let names = Atomic(0)
    /// Whether the limit was reached and the sum has not fallen well below it since.
    private let isShort = Atomic(false)
    private let isReclaiming = Atomic(false)
    /// How often the sum exceeded the limit.
    private let excesses = Atomic(0)
    private let state = Mutex(State())

    private struct State {
        var reclaimers: [Reclaimer] = []
        var readers: [ObjectIdentifier: any SlowReader] = [:]
        var report: (@Sendable (String) -> Void)?
    }

    /// Frees memory on demand, such as a cache. Called one at a time on the ledger's thread.
    public struct Reclaimer: Sendable {
        let name: String
        let free: @Sendable (_ bytes: Int) -> Void
        let isOver: @Sendable () -> Void

        /// - Parameters:
        ///   - name: the freed memory, as named in messages.
        ///   - free: frees about `bytes` bytes.
        ///   - isOver: called when memory is no longer short, on any thread and under any lock; it must only set a
        ///     flag.
        public init(
            _ name: String, free: @escaping @Sendable (_ bytes: Int) -> Void,
            isOver: @escaping @Sendable () -> Void = {}
        ) {
            self.name = name
            self.free = free
            self.isOver = isOver
        }
    }

    public init(limit: Int = .max) {
        self.limit = limit
    }

    // MARK: Counting

    /// The account of a holder.
    public func account(_ holder: MemoryHolder) -> MemoryAccount { MemoryAccount(ledger: self, holder: holder) }

    /// The bytes of a holder.
    public func bytes(of holder: MemoryHolder) -> Int {
        switch holder {
        case .journals: journals.load(ordering: .relaxed)
        case .bodies: bodies.load(ordering: .relaxed)
        case .messages: messages.load(ordering: .relaxed)
        case .answers: answers.load(ordering: .relaxed)
        case .events: events.load(ordering: .relaxed)
        case .uploads: uploads.load(ordering: .relaxed)
        case .data: data.load(ordering: .relaxed)
        case .state: stateStores.load(ordering: .relaxed)
        case .recordings: recordings.load(ordering: .relaxed)
        case .webhooks: webhooks.load(ordering: .relaxed)
        case .connections: connections.load(ordering: .relaxed)
        case .names: names.load(ordering: .relaxed)
        }
    }

    /// The bytes of all holders.
    public var total: Int { MemoryHolder.allCases.reduce(0) { $0 + bytes(of: $1) } }

    /// Adds to a holder's bytes; negative to subtract. Any thread, under any lock.
    func add(_ bytes: Int, to holder: MemoryHolder) {
        let (old, new) =
            switch holder {
            case .journals: journals.add(bytes, ordering: .relaxed)
            case .bodies: self.bodies.add(bytes, ordering: .relaxed)
            case .messages: messages.add(bytes, ordering: .relaxed)
            case .answers: answers.add(bytes, ordering: .relaxed)
            case .events: events.add(bytes, ordering: .relaxed)
            case .uploads: uploads.add(bytes, ordering: .relaxed)
            case .data: data.add(bytes, ordering: .relaxed)
            case .state: stateStores.add(bytes, ordering: .relaxed)
            case .recordings: recordings.add(bytes, ordering: .relaxed)
            case .webhooks: webhooks.add(bytes, ordering: .relaxed)
            case .connections: connections.add(bytes, ordering: .relaxed)
            case .names: names.add(bytes, ordering: .relaxed)
            }
        guard old >> 20 != new >> 20 else { return }
        checkLimit()
        if new < old { FreedMemory.add((old >> 20 - new >> 20) << 20) }
    }

    private func checkLimit() {
        let total = total
        if total > limit {
            startReclaiming()
        } else if total < limit - limit / 4, isShort.load(ordering: .relaxed),
            isShort.exchange(false, ordering: .relaxed)
        {
            for relief in state.withLock({ $0.reclaimers }) { relief.isOver() }
        }
    }

    /// Whether an upload, or what `what` names, may take `bytes` more. Reclaimable memory does not count as used.
    public func hasRoom(for bytes: Int, refusing what: String = "a request body") -> Bool {
        let given = self.bytes(of: .journals) + self.bytes(of: .bodies)
        if bytes <= limit, total - given <= limit - bytes { return true }
        if !isShort.exchange(true, ordering: .relaxed) {
            report(holdings, "\(what) of \(Self.text(bytes)) is refused")
        }
        return false
    }

    /// The maximum number of bytes of recordings: half of the limit.
    public var maxRecorded: Int { limit / 2 }

    /// Whether recordings may take `bytes` more. They have their own share, and an eighth of the limit must stay free
    /// beside them: nothing else, such as a journal, is reclaimed for them.
    public func hasRoom(forRecorded bytes: Int) -> Bool {
        bytes <= limit && self.bytes(of: .recordings) <= maxRecorded - bytes && total <= limit - limit / 8 - bytes
    }

    // MARK: Reclaiming

    /// Calls `report` with a line for the log when the limit is reached.
    public func whenShort(_ report: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.report = report }
    }

    /// Adds a reclaimer. Reclaimers run in order of addition, before slow readers are disconnected.
    public func add(_ relief: Reclaimer) {
        state.withLock { $0.reclaimers.append(relief) }
    }

    public func add(_ reader: any SlowReader) {
        state.withLock { $0.readers[ObjectIdentifier(reader)] = reader }
    }

    public func remove(_ reader: any SlowReader) {
        _ = state.withLock { $0.readers.removeValue(forKey: ObjectIdentifier(reader)) }
    }

    /// Starts reclaiming on a separate thread, because the caller may hold any lock.
    private func startReclaiming() {
        excesses.add(1, ordering: .sequentiallyConsistent)
        guard !isReclaiming.exchange(true, ordering: .sequentiallyConsistent) else { return }
        do throws(SystemError) {
            try SystemThread(name: "memory") { [self] in
                // Other threads that find an excess meanwhile leave it to this one.
                var seen = 0
                repeat {
                    seen = excesses.load(ordering: .sequentiallyConsistent)
                    reclaim()
                    isReclaiming.store(false, ordering: .sequentiallyConsistent)
                } while excesses.load(ordering: .sequentiallyConsistent) != seen
                    && !isReclaiming.exchange(true, ordering: .sequentiallyConsistent)
            }.detach()
        } catch {
            // The next call tries again.
            isReclaiming.store(false, ordering: .sequentiallyConsistent)
        }
    }

    /// Reclaims memory, least valuable first, until a sixteenth of the limit is free.
    private func reclaim() {
        let goal = limit - limit / 16
        let before = holdings
        var given: [String] = []
        for relief in state.withLock({ $0.reclaimers }) where total > goal {
            let held = total
            relief.free(held - goal)
            if total < held { given.append(relief.name) }
        }
        let cut = cutReaders(to: goal)
        if cut > 0 { given.append(cut == 1 ? "a slow reader" : "\(cut) slow readers") }
        if !isShort.exchange(true, ordering: .relaxed) {
            report(before, given.isEmpty ? "nothing can be given up" : "given up: " + given.joined(separator: ", "))
        }
    }

    /// Disconnects readers, those with most pending bytes first.
    /// - Returns: the number of disconnected readers.
    private func cutReaders(to goal: Int) -> Int {
        var cut = 0
        // Shared data is freed with its last reader, so each round doubles the number of disconnected readers.
        for _ in 0..<16 where total > goal {
            let readers = state.withLock { Array($0.readers.values) }
            let slow = readers.map { ($0, $0.pendingBytes) }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
            guard !slow.isEmpty else { break }
            var pending = 0
            let excess = total - goal
            for (reader, bytes) in slow.prefix(max(cut, 1)) where pending < excess {
                remove(reader)
                reader.cutOff()
                pending += bytes
                cut += 1
            }
            // Wait for their loops to free it.
            SystemCalls.pause(milliseconds: 5)
        }
        return cut
    }

    // MARK: Messages

    private func report(_ holdings: String, _ consequence: String) {
        guard let report = state.withLock({ $0.report }) else { return }
        report("the memory limit of \(Self.text(limit)) (--max-memory) is reached: \(holdings); \(consequence)")
    }

    /// The bytes of each holder as text.
    private var holdings: String {
        MemoryHolder.allCases.map { "\($0.rawValue) \(Self.text(bytes(of: $0)))" }.joined(separator: ", ")
    }

    /// A number of bytes in MiB.
    private static func text(_ bytes: Int) -> String {
        let tenths = ((max(bytes, 0) >> 10) * 10) >> 10
        return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
    }
}

/// A client with pending bytes that can be cut off.
public protocol SlowReader: AnyObject, Sendable {
    /// The bytes waiting to be sent to it. Any thread.
    var pendingBytes: Int { get }
    /// Closes its connection soon. Any thread.
    func cutOff()
}

import Synchronization

/// A holder of the memory that grows with what clients do.
public enum MemoryHolder: String, Sendable, CaseIterable {
    /// Requests that are kept to be looked at.
    case journals
    /// Body files that were read, in each form in which they are sent.
    case bodies
    /// Answers of the admin API that clients have not taken, and requests of a list that the journal has dropped
    /// meanwhile.
    case answers
    /// Events that readers have not taken.
    case events
    /// Bodies of requests, from their first bytes until they were answered.
    case uploads
    /// Records that requests have made or changed.
    case data
    /// Values that sessions' stubs have put away for later requests.
    case state
    /// Exchanges that are recorded, and bodies of responses that were sent already, for listeners that read them when all
    /// of it is.
    case recordings
    /// Webhooks that have not ended.
    case webhooks
    /// What connections of HTTP/2 have for themselves, beside their requests.
    case connections
    /// The names of sessions, also of those that have ended.
    case names
}

/// The memory of the process that grows with what clients do: who holds it, and what happens when it is too much.
///
/// A change costs one addition. The sum is looked at once for each MiB by which a holder grows or shrinks.
public final class MemoryLedger: Sendable {
    /// The largest number of bytes that all holders may have together.
    public let limit: Int

    // Each is only ever added to; nothing else is published by them.
    private let journals = Atomic(0)
    private let bodies = Atomic(0)
    private let answers = Atomic(0)
    private let events = Atomic(0)
    private let uploads = Atomic(0)
    private let data = Atomic(0)
    private let stateStores = Atomic(0)
    private let recordings = Atomic(0)
    private let webhooks = Atomic(0)
    private let connections = Atomic(0)
    private let names = Atomic(0)
    /// Whether the limit was reached, and the sum has not fallen well below it since.
    private let isShort = Atomic(false)
    private let isRelieving = Atomic(false)
    /// The number of times that the sum was found too large.
    private let excesses = Atomic(0)
    private let state = Mutex(State())

    private struct State {
        var reliefs: [Relief] = []
        var readers: [ObjectIdentifier: any SlowReader] = [:]
        var report: (@Sendable (String) -> Void)?
    }

    /// A way to hold less. Its functions are called one at a time, on a thread of the ledger's own.
    public struct Relief: Sendable {
        let name: String
        let free: @Sendable (_ bytes: Int) -> Void
        let isOver: @Sendable () -> Void

        /// - Parameters:
        ///   - name: what is given up, as messages say it.
        ///   - free: gives up about `bytes` bytes.
        ///   - isOver: called when memory is no longer short, on any thread and under any lock: it must only note that.
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

    /// Counts bytes that a holder has more, or less. Any thread, under any lock.
    func add(_ bytes: Int, to holder: MemoryHolder) {
        let (old, new) =
            switch holder {
            case .journals: journals.add(bytes, ordering: .relaxed)
            case .bodies: self.bodies.add(bytes, ordering: .relaxed)
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
        look()
        if new < old { FreedMemory.note((old >> 20 - new >> 20) << 20) }
    }

    private func look() {
        let total = total
        if total > limit {
            relieve()
        } else if total < limit - limit / 4, isShort.load(ordering: .relaxed),
            isShort.exchange(false, ordering: .relaxed)
        {
            for relief in state.withLock({ $0.reliefs }) { relief.isOver() }
        }
    }

    /// Whether an upload, or what `what` names, may take `bytes` more. What can be given up for it does not
    /// count.
    public func hasRoom(for bytes: Int, refusing what: String = "a request body") -> Bool {
        let given = self.bytes(of: .journals) + self.bytes(of: .bodies)
        if bytes <= limit, total - given <= limit - bytes { return true }
        if !isShort.exchange(true, ordering: .relaxed) {
            report(holdings, "\(what) of \(Self.text(bytes)) is refused")
        }
        return false
    }

    /// The most bytes of recordings: half of the limit.
    public var mostRecorded: Int { limit / 2 }

    /// Whether recordings may take `bytes` more. They have a part of their own, and an eighth of the limit stays free beside
    /// them: nothing else, such as a journal, is given up for them.
    public func hasRoom(forRecorded bytes: Int) -> Bool {
        bytes <= limit && self.bytes(of: .recordings) <= mostRecorded - bytes && total <= limit - limit / 8 - bytes
    }

    // MARK: Too much

    /// Calls `report` with a line for the log when the limit is reached.
    public func whenShort(_ report: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.report = report }
    }

    /// Adds a way to hold less, to be tried after those that were added before, and before readers are cut off.
    public func add(_ relief: Relief) {
        state.withLock { $0.reliefs.append(relief) }
    }

    public func add(_ reader: any SlowReader) {
        state.withLock { $0.readers[ObjectIdentifier(reader)] = reader }
    }

    public func remove(_ reader: any SlowReader) {
        _ = state.withLock { $0.readers.removeValue(forKey: ObjectIdentifier(reader)) }
    }

    /// Gives up memory on a thread of its own, because the caller may hold any lock.
    private func relieve() {
        excesses.add(1, ordering: .sequentiallyConsistent)
        guard !isRelieving.exchange(true, ordering: .sequentiallyConsistent) else { return }
        do throws(SystemError) {
            try SystemThread(name: "memory") { [self] in
                // Threads that find too much meanwhile leave it to this one.
                var seen = 0
                repeat {
                    seen = excesses.load(ordering: .sequentiallyConsistent)
                    giveUp()
                    isRelieving.store(false, ordering: .sequentiallyConsistent)
                } while excesses.load(ordering: .sequentiallyConsistent) != seen
                    && !isRelieving.exchange(true, ordering: .sequentiallyConsistent)
            }.detach()
        } catch {
            // The next one to ask tries again.
            isRelieving.store(false, ordering: .sequentiallyConsistent)
        }
    }

    /// Gives up what can be given up, the least valuable first, until enough is free for a while.
    private func giveUp() {
        let goal = limit - limit / 16
        let before = holdings
        var given: [String] = []
        for relief in state.withLock({ $0.reliefs }) where total > goal {
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

    /// Cuts off readers, starting with those with most bytes pending.
    /// - Returns: the number of readers cut off.
    private func cutReaders(to goal: Int) -> Int {
        var cut = 0
        // What readers share is free when the last of them is gone, so each round doubles those that were cut off.
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
            // Their loops free what they held.
            SystemCalls.pause(milliseconds: 5)
        }
        return cut
    }

    // MARK: Words

    private func report(_ holdings: String, _ consequence: String) {
        guard let report = state.withLock({ $0.report }) else { return }
        report("the memory limit of \(Self.text(limit)) (--max-memory) is reached: \(holdings); \(consequence)")
    }

    /// The bytes of each holder, as a text.
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
    /// The bytes that wait for it. Any thread.
    var pendingBytes: Int { get }
    /// Closes its connection soon. Any thread.
    func cutOff()
}

import SDBasics

/// An object with a descriptor that `SocketThread` watches.
protocol WatchedDescriptor: AnyObject, Sendable {
    var descriptor: Int32 { get }
    var wish: WatchInterest { get }
    /// Reads and writes as far as possible. Returns false if the descriptor must be closed.
    func ready(toRead: Bool, toWrite: Bool, _ buffer: inout [UInt8]) -> Bool
    /// Returns false if the descriptor must be closed.
    func deadlinePassed() -> Bool
    /// Called after the descriptor was closed.
    func closed()
}

/// The interest of a watched descriptor. Readability is always watched.
struct WatchInterest {
    var wantsToWrite = false
    /// When to call `deadlinePassed`; nil for never.
    var deadline: ContinuousClock.Instant?
    /// Whether to close it.
    var isOver = false
}

/// The process's one thread that waits for all sockets of its mock servers and for timers, so that no thread of Swift's
/// pool has to.
///
/// Only this thread closes descriptors, so that a number is not reused while it is still watched.
final class SocketThread: Sendable {
    static let shared = SocketThread()

    private struct State {
        var watched: [any WatchedDescriptor] = []
        var isRunning = false
        /// A byte written here wakes the thread.
        var bell: (read: Int32, write: Int32)?
        /// When the thread wakes by itself at the latest.
        var wakesAt: ContinuousClock.Instant?
        var alarms: [Int: (time: ContinuousClock.Instant, body: @Sendable () -> Void)] = [:]
        var alarmCount = 0

        /// Starts the thread unless it runs. Returns whether it runs.
        mutating func start(_ run: @escaping @Sendable (_ bell: Int32) -> Void) -> Bool {
            guard !isRunning else { return true }
            if bell == nil { bell = try? SocketCalls.bell() }
            guard let bell else { return false }
            isRunning = SocketCalls.startThread { run(bell.read) }
            return isRunning
        }
    }

    private let state = Lock(State())

    /// Watches a descriptor, and closes it when it is done.
    /// - Throws: `MockServerError` if the thread cannot be started.
    func add(_ watched: any WatchedDescriptor) throws(MockServerError) {
        let isStarted = state.withLock { state -> Bool in
            guard state.start(run) else { return false }
            state.watched.append(watched)
            return true
        }
        guard isStarted else {
            throw MockServerError("cannot start the thread of the sockets: no thread or no descriptor is left")
        }
        wake()
    }

    /// Wakes the thread, so that it re-reads each descriptor's interest.
    func wake() {
        if let bell = state.withLock({ $0.bell }) { SocketCalls.poke(bell.write) }
    }

    /// Wakes the thread unless it wakes before this deadline anyway.
    func expect(_ deadline: ContinuousClock.Instant) {
        let isLate = state.withLock { state in state.wakesAt.map { $0 > deadline } ?? true }
        if isLate { wake() }
    }

    // MARK: Alarms

    /// A scheduled call that can be cancelled.
    struct Alarm: Sendable {
        fileprivate let number: Int?

        func cancel() {
            guard let number else { return }
            SocketThread.shared.state.withLock { _ = $0.alarms.removeValue(forKey: number) }
        }
    }

    /// Calls `body` on this thread after that time unless the alarm is cancelled. `body` must not block. It is called
    /// immediately if there can be no thread.
    func after(_ time: Duration, _ body: @escaping @Sendable () -> Void) -> Alarm {
        let time = ContinuousClock.now + time
        let number = state.withLock { state -> Int? in
            guard state.start(run) else { return nil }
            state.alarmCount += 1
            state.alarms[state.alarmCount] = (time, body)
            return state.alarmCount
        }
        if number == nil { body() } else { expect(time) }
        return Alarm(number: number)
    }

    private func ring() {
        let due = state.withLock { state in
            let due = state.alarms.filter { $0.value.time <= .now }
            for number in due.keys { state.alarms.removeValue(forKey: number) }
            return due.values.sorted { $0.time < $1.time }
        }
        for alarm in due { alarm.body() }
    }

    // MARK: The thread

    private func run(_ bell: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var interests: [SocketCalls.Interest] = []
        while true {
            interests.removeAll(keepingCapacity: true)
            interests.append(SocketCalls.Interest(descriptor: bell))
            var watched: [any WatchedDescriptor] = []
            var nearest: ContinuousClock.Instant?
            for entry in state.withLock({ $0.watched }) {
                let wish = entry.wish
                guard !wish.isOver else {
                    close(entry)
                    continue
                }
                watched.append(entry)
                interests.append(SocketCalls.Interest(descriptor: entry.descriptor, wantsToWrite: wish.wantsToWrite))
                if let deadline = wish.deadline { nearest = min(nearest ?? deadline, deadline) }
            }
            SocketCalls.poll(&interests, milliseconds: timeout(nearest))
            if interests[0].isReadable { _ = SocketCalls.receive(bell, into: &buffer) }
            ring()
            let isLate = nearest.map { $0 <= .now } ?? false
            for (entry, interest) in zip(watched, interests.dropFirst()) {
                if interest.isReadable || interest.isWritable,
                    !entry.ready(toRead: interest.isReadable, toWrite: interest.isWritable, &buffer)
                {
                    close(entry)
                } else if isLate, let deadline = entry.wish.deadline, deadline <= .now, !entry.deadlinePassed() {
                    close(entry)
                }
            }
        }
    }

    private func close(_ entry: any WatchedDescriptor) {
        state.withLock { $0.watched.removeAll { $0 === entry } }
        SocketCalls.closeDescriptor(entry.descriptor)
        entry.closed()
    }

    /// The milliseconds until the nearest deadline or alarm, -1 for no limit. The wake time is not postponed when a
    /// call ends early, so that the next call need not wake the thread.
    ///
    /// A wake time in the past is cleared only here, and the thread reads every interest again before it sleeps: a
    /// deadline that relied on that time in `expect` has been seen by then.
    private func timeout(_ nearest: ContinuousClock.Instant?) -> Int32 {
        let now = ContinuousClock.now
        let wakesAt = state.withLock { state -> ContinuousClock.Instant? in
            if let known = state.wakesAt, known <= now {
                state.wakesAt = nil
                return now
            }
            for time in [nearest] + state.alarms.values.map(\.time) {
                if let time { state.wakesAt = min(state.wakesAt ?? time, time) }
            }
            return state.wakesAt
        }
        guard let wakesAt else { return -1 }
        let (seconds, attoseconds) = (wakesAt - now).components
        return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
    }
}

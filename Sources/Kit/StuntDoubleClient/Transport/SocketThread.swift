import SDBasics

/// Something with a descriptor that `SocketThread` watches.
protocol WatchedDescriptor: AnyObject, Sendable {
    var descriptor: Int32 { get }
    var wish: WatchedWish { get }
    /// Reads and writes what can be read and written. Returns false once the descriptor is to be closed.
    func ready(toRead: Bool, toWrite: Bool, _ buffer: inout [UInt8]) -> Bool
    /// Returns false once the descriptor is to be closed.
    func deadlinePassed() -> Bool
    /// The descriptor has been closed.
    func closed()
}

/// The wishes of a watched descriptor. All of them wait until they can be read.
struct WatchedWish {
    var wantsToWrite = false
    /// The time at which `deadlinePassed` is called; nil for never.
    var deadline: ContinuousClock.Instant?
    /// Whether it is to be closed.
    var isOver = false
}

/// The one thread of the process that waits for all sockets of its mock servers, and for the times at which something is
/// to happen, so that no thread of Swift's concurrency ever does.
///
/// Descriptors are closed on this thread alone: a number is not used anew while it is still watched.
final class SocketThread: Sendable {
    static let shared = SocketThread()

    private struct State {
        var watched: [any WatchedDescriptor] = []
        var isRunning = false
        /// A byte written here wakes the thread.
        var bell: (read: Int32, write: Int32)?
        /// The time at which the thread wakes by itself at the latest.
        var wakesAt: ContinuousClock.Instant?
        var alarms: [Int: (time: ContinuousClock.Instant, body: @Sendable () -> Void)] = [:]
        var alarmCount = 0

        /// Begins the thread unless it runs. Returns whether it runs.
        mutating func start(_ run: @escaping @Sendable (_ bell: Int32) -> Void) -> Bool {
            guard !isRunning else { return true }
            if bell == nil { bell = try? SocketCalls.bell() }
            guard let bell else { return false }
            isRunning = SocketCalls.startThread { run(bell.read) }
            return isRunning
        }
    }

    private let state = Lock(State())

    /// Watches a descriptor until it is to be closed, and closes it then.
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

    /// Wakes the thread, so that it looks at what each descriptor wants.
    func wake() {
        if let bell = state.withLock({ $0.bell }) { SocketCalls.poke(bell.write) }
    }

    /// Wakes the thread unless it wakes in time for this deadline anyhow.
    func expect(_ deadline: ContinuousClock.Instant) {
        let isLate = state.withLock { state in state.wakesAt.map { $0 > deadline } ?? true }
        if isLate { wake() }
    }

    // MARK: Alarms

    /// A call that is still to come.
    struct Alarm: Sendable {
        fileprivate let number: Int?

        func cancel() {
            guard let number else { return }
            SocketThread.shared.state.withLock { _ = $0.alarms.removeValue(forKey: number) }
        }
    }

    /// Calls `body` on this thread after that time, unless what is returned is cancelled. It must not block. Where there can
    /// be no thread, it is called at once.
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

    /// The milliseconds until the nearest deadline or alarm, -1 for ever. The time at which the thread wakes is not put off
    /// when a call ends sooner, so that the next call need not wake the thread.
    ///
    /// A time that has passed is forgotten only here, and the thread looks at all wishes once more before it sleeps: whoever
    /// relied on that time in `expect` has been seen by then.
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

import SDCCurl
import SDHTTPTransport
import SDPlatform

/// The calls of one loop that libcurl makes: its sockets and timer on that loop.
///
/// Touched on the loop's thread alone.
final class LoopCalls: Sendable {
    let loop: Loop
    // All are read and written on the loop's thread alone.
    private nonisolated(unsafe) var pool: OpaquePointer?
    private nonisolated(unsafe) var watches: [Int32: WatchedSocket] = [:]
    private nonisolated(unsafe) var calls: [ObjectIdentifier: CurlCall] = [:]
    private nonisolated(unsafe) var timer: ScheduledWork?
    /// When libcurl's timer is to expire, and when ours does, in monotonic nanoseconds.
    private nonisolated(unsafe) var due = UInt64.max
    private nonisolated(unsafe) var armed = UInt64.max
    private nonisolated(unsafe) var sweep: ScheduledWork?
    private nonisolated(unsafe) var sweepDue = UInt64.max
    private nonisolated(unsafe) var pins = PinnedAddresses.Book()

    /// A socket of libcurl's.
    private final class WatchedSocket {
        let watch: DescriptorWatch
        /// What libcurl waits for.
        var wanted: Readiness

        init(_ watch: DescriptorWatch, _ wanted: Readiness) {
            self.watch = watch
            self.wanted = wanted
        }
    }

    /// - Throws: what is missing.
    init(_ loop: Loop, connections: Int) throws(UpstreamProblem) {
        self.loop = loop
        var hooks = cu_hooks()
        hooks.owner = Unmanaged.passUnretained(self).toOpaque()
        hooks.watch = watchSocket
        hooks.timer = armTimer
        hooks.secure = handshakeBegins
        hooks.head = headCame
        hooks.piece = pieceCame
        hooks.body = moreBody
        hooks.ended = callEnded
        hooks.dropped = callDropped
        pool = cu_pool_new(&hooks, max(connections, 1))
        guard pool != nil else { throw UpstreamProblem(.other, "libcurl has no memory for calls to other servers") }
    }

    /// Drops all calls: the loop has ended.
    func close() {
        guard let pool = pool.take() else { return }
        timer = nil
        sweep = nil
        cu_pool_free(pool)
        calls = [:]
        for socket in watches.values { socket.watch.stop() }
        watches = [:]
    }

    // MARK: Calls

    /// Begins a call with libcurl.
    /// - Parameters:
    ///   - addresses: those that are connected to, of the host or of the proxy in front.
    ///   - port: the port there.
    func begin(_ call: CurlCall, _ request: borrowing CurlRequest, _ addresses: [String], port: Int) {
        guard let pool else { return }
        let pin = pins.pin(addresses, port: port)
        call.raw = request.withRaw(call, pin) { raw in cu_call_begin(pool, &raw) }
        guard call.raw != nil else {
            return call.call.refuse(UpstreamProblem(.other, "libcurl cannot begin the call to \(call.call.place)"))
        }
        calls[ObjectIdentifier(call)] = call
        call.pool = self
        call.call.begin(call)
        watch(call)
        cu_pool_go_on(pool)
    }

    /// Lets go of a call.
    func forget(_ call: CurlCall) {
        call.pool = nil
        calls[ObjectIdentifier(call)] = nil
    }

    // MARK: Time limits

    private func watch(_ call: CurlCall) {
        let due = call.lastStep &+ call.patience
        guard due < sweepDue else { return }
        sweep?.cancel()
        sweepDue = due
        let now = SystemCalls.monotonicNanoseconds()
        sweep = loop.after(nanoseconds: due > now ? due - now : 0) { [weak self] in self?.sweepNow() }
    }

    /// Ends the calls whose time is over.
    private func sweepNow() {
        sweep = nil
        sweepDue = .max
        let now = SystemCalls.monotonicNanoseconds()
        for call in calls.values {
            if call.waitsForUs { call.step() }
            if call.lastStep &+ call.patience <= now { call.timeOut() } else { watch(call) }
        }
    }

    // MARK: Sockets and libcurl's timer

    fileprivate func watch(_ descriptor: Int32, _ interest: Int32) {
        switch Int(interest) {
        case CU_CLOSED:
            watches.removeValue(forKey: descriptor)?.watch.stop()
        case CU_OPENED:
            // The same number again: libcurl, which has closed the one before, says nothing more.
            guard let socket = watches.removeValue(forKey: descriptor) else { return }
            socket.watch.stop()
            if !socket.wanted.isEmpty { begin(descriptor, socket.wanted) }
        default:
            let wanted = Readiness(rawValue: interest)
            guard let socket = watches[descriptor] else { return begin(descriptor, wanted) }
            guard socket.wanted != wanted else { return }
            socket.wanted = wanted
            try? socket.watch.change(to: wanted)
        }
    }

    private func begin(_ descriptor: Int32, _ wanted: Readiness) {
        guard !wanted.isEmpty else { return }
        let watch = try? loop.watch(descriptor: descriptor, for: wanted) { [weak self] what in
            self?.ready(descriptor, what)
        }
        if let watch { watches[descriptor] = WatchedSocket(watch, wanted) }
    }

    private func ready(_ descriptor: Int32, _ what: Readiness) {
        if let pool { cu_pool_ready(pool, descriptor, what.rawValue) }
    }

    fileprivate func setTimer(_ milliseconds: Int) {
        guard milliseconds >= 0 else {
            due = .max
            return
        }
        let delay = UInt64(milliseconds) * 1_000_000
        due = SystemCalls.monotonicNanoseconds() + delay
        // One that is earlier looks again.
        guard due < armed else { return }
        arm(delay)
    }

    private func arm(_ delay: UInt64) {
        timer?.cancel()
        armed = due
        timer = loop.after(nanoseconds: delay) { [weak self] in self?.timerFired() }
    }

    private func timerFired() {
        timer = nil
        armed = .max
        guard let pool, due != .max else { return }
        let now = SystemCalls.monotonicNanoseconds()
        guard due <= now else { return arm(due - now) }
        due = .max
        cu_pool_expired(pool)
    }
}

// MARK: libcurl's hooks

private func pool(_ owner: UnsafeMutableRawPointer?) -> LoopCalls? {
    owner.map { Unmanaged<LoopCalls>.fromOpaque($0).takeUnretainedValue() }
}

private func call(_ argument: UnsafeMutableRawPointer?) -> CurlCall? {
    argument.map { Unmanaged<CurlCall>.fromOpaque($0).takeUnretainedValue() }
}

private func watchSocket(_ owner: UnsafeMutableRawPointer?, _ descriptor: Int32, _ interest: Int32) {
    pool(owner)?.watch(descriptor, interest)
}

private func armTimer(_ owner: UnsafeMutableRawPointer?, _ milliseconds: Int) {
    pool(owner)?.setTimer(milliseconds)
}

private func handshakeBegins(_ argument: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) {
    guard let call = call(argument), let context else { return }
    call.handshake = TLSCallHandshake(context: context, call.call.credentials)
}

private func headCame(
    _ argument: UnsafeMutableRawPointer?, _ status: Int32, _ bytes: UnsafePointer<UInt8>?, _ length: Int
) {
    call(argument)?.headCame(HeadParser.head(UnsafeBufferPointer(start: bytes, count: length), status: Int(status)))
}

private func pieceCame(_ argument: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ length: Int) -> cu_taken
{
    guard let call = call(argument) else { return CU_TAKEN }
    return call.pieceCame(UnsafeBufferPointer(start: bytes, count: length)) ? CU_TAKEN : CU_FULL
}

private func moreBody(_ argument: UnsafeMutableRawPointer?, _ room: UnsafeMutablePointer<UInt8>?, _ size: Int) -> Int {
    call(argument)?.moreBody(UnsafeMutableRawBufferPointer(start: room, count: size)) ?? Int(CU_END)
}

private func callEnded(_ argument: UnsafeMutableRawPointer?, _ end: UnsafePointer<cu_end>?) {
    guard let call = call(argument), let end else { return }
    call.pool?.forget(call)
    let trailers = UnsafeBufferPointer(start: end.pointee.trailers, count: end.pointee.trailers_length)
    if let problem = UpstreamProblem(end.pointee, call) {
        call.ended(.failure(problem))
    } else {
        call.ended(.success(HeadParser.fields(trailers[...])))
    }
}

private func callDropped(_ argument: UnsafeMutableRawPointer?) {
    guard let call = call(argument) else { return }
    call.raw = nil
    call.pool = nil
    call.call.drop()
}

import SDCReactor

/// The directions in which a descriptor is ready.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// A read yields bytes, the end, or an error.
    public static let readable = Readiness(rawValue: Int32(CR_READABLE))
    /// A write accepts bytes, or fails.
    public static let writable = Readiness(rawValue: Int32(CR_WRITABLE))
}

/// A watch on a descriptor of the caller's: a server's loop watches it until `stop`, or until the loop ends. Dropping
/// the object changes nothing.
public final class DescriptorWatch: Sendable {
    // All are accessed only on the loop's thread, and before the server runs.
    private nonisolated(unsafe) var ready: ((Readiness) -> Void)?
    private nonisolated(unsafe) var raw: OpaquePointer?
    private nonisolated(unsafe) var loop: OpaquePointer?

    fileprivate init(
        _ loop: OpaquePointer, _ descriptor: Int32, _ interest: Readiness, _ ready: @escaping (Readiness) -> Void
    ) throws(TransportError) {
        self.ready = ready
        self.loop = loop
        let argument = Unmanaged.passRetained(self)
        raw = cr_watch_start(loop, descriptor, interest.rawValue, watchReady, watchDropped, argument.toOpaque())
        if raw == nil {
            let error = TransportError("watch descriptor \(descriptor)")
            argument.release()
            throw error
        }
    }

    /// Changes what the watch waits for, which may be nothing. Does nothing after the end.
    /// - Throws: the system's error.
    /// - Precondition: called on the thread of the loop, or before the server runs.
    public func change(to interest: Readiness) throws(TransportError) {
        guard let raw = touched() else { return }
        let code = cr_watch_change(raw, interest.rawValue)
        if code != 0 { throw TransportError("watch a descriptor", code: code) }
    }

    /// Ends the watch and frees its closure; afterwards the descriptor may be closed. May be called more than once, and
    /// by the closure.
    /// - Precondition: called on the thread of the loop, or before the server runs.
    public func stop() {
        guard let raw = touched() else { return }
        cr_watch_stop(raw)
        forget()
        // Releases the watch's own reference; the caller has another.
        Unmanaged.passUnretained(self).release()
    }

    private func touched() -> OpaquePointer? {
        guard let raw, let loop else { return nil }
        precondition(Server.mayTouch(loop), "a watch is touched on the thread of its loop")
        return raw
    }

    fileprivate func becameReady(_ what: Readiness) {
        ready?(what)
    }

    fileprivate func forget() {
        raw = nil
        loop = nil
        ready = nil
    }
}

private func watchReady(_ argument: UnsafeMutableRawPointer?, _ what: Int32) {
    guard let argument else { return }
    // The closure may stop the watch, and so release the last reference.
    let watch = Unmanaged<DescriptorWatch>.fromOpaque(argument).takeUnretainedValue()
    withExtendedLifetime(watch) { watch.becameReady(Readiness(rawValue: what)) }
}

private func watchDropped(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<DescriptorWatch>.fromOpaque(argument).takeRetainedValue().forget()
}

extension Server {
    /// Calls `ready` on the thread of that worker's loop whenever the descriptor is ready for something in `interest`.
    /// The descriptor still belongs to the caller, and must stay open until the watch is stopped or the loop has ended.
    /// - Throws: the system's error: EPERM for a descriptor that is always ready, such as a file's; ECANCELED if the
    ///   loop has ended.
    /// - Precondition: called on the thread of that worker's loop, where its requests are served, or before the server
    ///   runs.
    public func watch(
        descriptor: Int32, for interest: Readiness, worker: Int = 0, _ ready: @escaping @Sendable (Readiness) -> Void
    ) throws(TransportError) -> DescriptorWatch {
        let loop = loop(of: worker)
        precondition(Self.mayTouch(loop), "a descriptor is watched on the thread of worker \(worker)")
        return try DescriptorWatch(loop, descriptor, interest, ready)
    }
}

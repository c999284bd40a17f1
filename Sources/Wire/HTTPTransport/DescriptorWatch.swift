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

/// A watch on a caller's descriptor, active until `stop` or the end of the loop. Dropping the object changes nothing.
/// See `Loop.watch`.
public final class DescriptorWatch: Sendable {
    private let loop: Loop
    // Both are accessed only on the loop's thread, and before the server runs.
    private nonisolated(unsafe) var ready: ((Readiness) -> Void)?
    private nonisolated(unsafe) var raw: OpaquePointer?

    init(
        _ loop: Loop, _ rawLoop: OpaquePointer, _ descriptor: Int32, _ interest: Readiness,
        _ ready: @escaping (Readiness) -> Void
    ) throws(TransportError) {
        self.ready = ready
        self.loop = loop
        let argument = Unmanaged.passRetained(self)
        raw = cr_watch_start(rawLoop, descriptor, interest.rawValue, watchReady, watchDropped, argument.toOpaque())
        if raw == nil {
            let error = TransportError("watch descriptor \(descriptor)")
            argument.release()
            throw error
        }
    }

    /// Changes the directions to wait for; may be empty. Does nothing after the end.
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
        guard let raw else { return nil }
        precondition(loop.mayBeTouched, "a watch is touched on the thread of its loop")
        return raw
    }

    fileprivate func becameReady(_ what: Readiness) {
        ready?(what)
    }

    fileprivate func forget() {
        raw = nil
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

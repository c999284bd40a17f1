import SDCReactor
package import SDPlatform

/// A connection attempt to one of a server's addresses, tried side by side (Happy Eyeballs, RFC 8305). For callers that
/// relay raw bytes.
///
/// Used on its loop's thread alone.
package final class Dial: Sendable {
    package enum Outcome: ~Copyable {
        case connected(FileDescriptor)
        case timedOut
        /// Connecting to the first address failed with this errno.
        case failed(errno: Int32)
    }

    // Immutable after `init`; C reads the addresses from here.
    private nonisolated(unsafe) let addresses: UnsafeMutableBufferPointer<ServerAddress>
    private nonisolated(unsafe) var raw: OpaquePointer?
    private nonisolated(unsafe) var limit: ScheduledWork?
    private nonisolated(unsafe) var done: ((consuming Outcome) -> Void)?

    private init(_ addresses: [ServerAddress], _ done: @escaping (consuming Outcome) -> Void) {
        self.addresses = .allocate(capacity: addresses.count)
        _ = self.addresses.initialize(from: addresses)
        self.done = done
    }

    deinit {
        // The loop has ended.
        if let raw { cr_dial_cancel(raw) }
        addresses.deallocate()
    }

    /// Starts to connect.
    /// - Parameters:
    ///   - addresses: at least one, in order of preference.
    ///   - nanoseconds: the timeout for all of them together.
    ///   - done: called once, never before this returns; not called if the loop ends first.
    package static func start(
        _ addresses: [ServerAddress], port: Int, on loop: Loop, within nanoseconds: UInt64,
        _ done: @escaping (consuming Outcome) -> Void
    ) {
        let dial = Dial(addresses, done)
        // The scheduled work retains the dial, and is dropped with the loop.
        dial.limit = loop.after(nanoseconds: nanoseconds) { dial.end(.timedOut) }
        dial.raw = dial.addresses.withMemoryRebound(to: cr_address.self) { addresses in
            cr_dial_start(
                loop.raw, addresses.baseAddress, addresses.count, UInt16(clamping: port), nil, nil,
                { argument, socket, _, error in
                    guard let argument else { return }
                    let dial = Unmanaged<Dial>.fromOpaque(argument).takeUnretainedValue()
                    dial.raw = nil
                    dial.end(socket < 0 ? .failed(errno: error) : .connected(FileDescriptor(owning: socket)))
                }, Unmanaged.passUnretained(dial).toOpaque())
        }
        if dial.raw == nil { fatalError("out of memory for a connection") }
    }

    private func end(_ outcome: consuming Outcome) {
        if let raw = raw.take() { cr_dial_cancel(raw) }
        limit.take()?.cancel()
        done.take()?(outcome)
    }
}

import SDCReactor
package import SDPlatform

/// A connection that is being made to one of the addresses of a server, each tried beside those before it (RFC 8305), for whoever
/// passes bytes on it as they are.
///
/// Used on its loop's thread alone.
package final class Dial: Sendable {
    package enum Outcome: ~Copyable {
        case connected(FileDescriptor)
        case timedOut
        /// Why the first address that was tried could not be connected to.
        case failed(errno: Int32)
    }

    // Not changed after `init`; where C reads them.
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

    /// Begins to connect.
    /// - Parameters:
    ///   - addresses: at least one, in the order in which they are preferred.
    ///   - nanoseconds: the time for all of them.
    ///   - done: called once, never before this returns, unless the loop ends first.
    package static func start(
        _ addresses: [ServerAddress], port: Int, on loop: Loop, within nanoseconds: UInt64,
        _ done: @escaping (consuming Outcome) -> Void
    ) {
        let dial = Dial(addresses, done)
        // The work keeps the dial, and is dropped with the loop.
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

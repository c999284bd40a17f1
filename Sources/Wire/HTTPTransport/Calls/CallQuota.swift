import SDCReactor

/// The limits of the connections to other servers, of all loops together.
package struct CallLimits: Sendable {
    /// The connections that are open at a time; further calls wait for one.
    package var connections = 1000
    /// The connections that are kept for later calls. The one that was used longest ago is closed for another one.
    package var idle = 256
    /// The time after its last use for which a connection is kept, in milliseconds; nil for as long as its loop runs.
    package var idleTime: Int?

    package init() {}

    fileprivate var raw: cr_call_limits {
        cr_call_limits(
            connections: UInt32(clamping: connections), idle: UInt32(clamping: idle),
            uses: 0, idle_ms: idleTime.map { UInt32(clamping: max($0, 1)) } ?? 0, age_ms: 0)
    }
}

/// These limits, and what counts against them. Shared by the callers of all loops.
package final class CallQuota: Sendable {
    // Counts by atomics, and has a lock of its own.
    nonisolated(unsafe) let raw: OpaquePointer

    package init(_ limits: CallLimits) {
        var limits = limits.raw
        guard let raw = cr_quota_new(&limits) else { fatalError("out of memory for the limits of calls") }
        self.raw = raw
    }

    deinit {
        cr_quota_release(raw)
    }

    /// The connections that are open, and those of them that are kept. Any thread.
    package var open: Int { Int(cr_quota_open(raw)) }
    package var idle: Int { Int(cr_quota_idle(raw)) }
}

import SDCReactor

/// The limits on connections to other servers, shared by all loops.
package struct CallLimits: Sendable {
    /// The maximum number of open connections; further calls wait for one.
    package var connections = 1000
    /// The maximum number of idle connections. When full, the least recently used one is closed.
    package var idle = 256
    /// The time for which an idle connection is kept, in milliseconds; nil for as long as its loop runs.
    package var idleTime: Int?

    package init() {}

    fileprivate var raw: cr_call_limits {
        cr_call_limits(
            connections: UInt32(clamping: connections), idle: UInt32(clamping: idle),
            uses: 0, idle_ms: idleTime.map { UInt32(clamping: max($0, 1)) } ?? 0, age_ms: 0)
    }
}

/// Connection limits and the current counts. Shared by the callers of all loops.
package final class CallQuota: Sendable {
    // Thread-safe: the C side uses atomics and a lock of its own.
    nonisolated(unsafe) let raw: OpaquePointer

    package init(_ limits: CallLimits) {
        var limits = limits.raw
        guard let raw = cr_quota_new(&limits) else { fatalError("out of memory for the limits of calls") }
        self.raw = raw
    }

    deinit {
        cr_quota_release(raw)
    }

    /// The number of open connections, and of the idle ones among them. Any thread.
    package var open: Int { Int(cr_quota_open(raw)) }
    package var idle: Int { Int(cr_quota_idle(raw)) }
}

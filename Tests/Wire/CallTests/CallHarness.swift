import SDCReactor
import SDCTestTransports
import SDPlatform
import SDTestSupport

/// A loop that makes calls, on a thread of its own, and what they are told as text.
final class CallHarness: @unchecked Sendable {
    // Sendable because the harness's functions may be called by any thread.
    private let harness: OpaquePointer
    private let quota: Quota

    init(_ quota: Quota = Quota()) {
        self.quota = quota
        harness = call_harness_new(quota.raw)
    }

    deinit { call_harness_free(harness) }

    /// The limits of harnesses.
    final class Quota: @unchecked Sendable {
        // Sendable because quotas may be shared by threads.
        let raw: OpaquePointer

        init(connections: UInt32 = 100, idle: UInt32 = 10, uses: UInt32 = 0, idleTime: UInt32 = 0, age: UInt32 = 0) {
            var limits = cr_call_limits(
                connections: connections, idle: idle, uses: uses, idle_ms: idleTime, age_ms: age)
            raw = cr_quota_new(&limits)
        }

        deinit { cr_quota_release(raw) }

        var open: UInt32 { cr_quota_open(raw) }
        var idle: UInt32 { cr_quota_idle(raw) }

        /// Waits until no connection is open: the servers have closed them, which the loops are yet to notice.
        func isClosed() -> Bool {
            for _ in 0..<20_000 where open > 0 { SystemCalls.pause(milliseconds: 1) }
            return open == 0 && idle == 0
        }
    }

    /// A call to be made.
    struct Call: Sendable {
        var port: UInt16
        var head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        var addresses = "127.0.0.1"
        var name = "127.0.0.1"
        var body: [UInt8]?
        var denied: String?
        var trust: Trust?
        private var change: @Sendable (inout harness_call) -> Void = { _ in }

        init(
            _ port: UInt16, _ method: String = "GET",
            _ change: @escaping @Sendable (inout harness_call) -> Void = { _ in }
        ) {
            self.port = port
            self.change = change
            head = "\(method) / HTTP/1.1\r\nHost: a\r\n\r\n"
        }

        func withRaw<Result>(_ body: (UnsafePointer<harness_call>) -> Result) -> Result {
            addresses.withCString { addresses in
                name.withCString { name in
                    head.withCString { head in
                        (denied ?? "").withCString { denied in
                            (self.body ?? []).withUnsafeBufferPointer { bytes in
                                var raw = harness_call()
                                raw.addresses = addresses
                                raw.name = name
                                raw.head = head
                                raw.port = port
                                raw.denied = self.denied == nil ? nil : denied
                                raw.trust = trust?.raw
                                raw.body_length = bytes.count
                                raw.body = bytes.baseAddress
                                change(&raw)
                                return body(&raw)
                            }
                        }
                    }
                }
            }
        }

    }

    /// A call that was begun.
    struct Begun: Sendable {
        let harness: CallHarness
        let number: Int32

        var text: String {
            var text = [CChar](repeating: 0, count: 12_000)
            call_harness_text(harness.harness, number, &text, text.count)
            return text.upToNUL
        }

        var received: UInt64 { call_harness_received(harness.harness, number) }
        var shown: cr_presented_cert { call_harness_presented(harness.harness, number) }
        var wasResumed: Bool { call_harness_was_resumed(harness.harness, number) }

        /// What it was told, once that has an end.
        func whole() -> String {
            let end = ContinuousClock.now + .seconds(60 * ProcessFacts.patience)
            while !isOver, ContinuousClock.now < end {
                call_harness_wait_briefly(harness.harness, number)
            }
            return text
        }

        private var isOver: Bool {
            let text = text
            return text.contains("| done") || text.contains("failed: ") || text == "done" || text == "not begun"
        }

        @discardableResult func wait(for text: String) -> Bool { call_harness_wait(harness.harness, number, text) }
        @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }
        @discardableResult func send(_ bytes: [UInt8]) -> Bool {
            call_harness_send(harness.harness, number, bytes, bytes.count)
        }
        func finish(_ trailers: String = "") { call_harness_finish(harness.harness, number, trailers) }
        func read(_ reads: Bool) { call_harness_set_reading(harness.harness, number, reads) }
        func cancel() { call_harness_cancel(harness.harness, number) }
    }

    func start(_ call: Call) -> Begun {
        Begun(harness: self, number: call.withRaw { call_harness_start(harness, $0) })
    }

    func start(_ call: Call, behind other: Begun) -> Begun {
        Begun(harness: self, number: call.withRaw { call_harness_start_behind(harness, other.number, $0) })
    }

    func call(_ call: Call) -> String { start(call).whole() }
    func get(_ port: UInt16) -> String { call(Call(port)) }

    func stop() { call_harness_stop(harness) }
    func endCaller() { call_harness_end_caller(harness) }
    var connections: UInt32 { call_harness_connections(harness) }
}

/// Whom calls over TLS trust.
final class Trust: @unchecked Sendable {
    // Sendable because trusts may be shared by threads.
    let raw: OpaquePointer

    struct Failure: Error {
        let reason: String
    }

    /// - Parameter shown: the certificate with its key that is shown to servers that ask for one, PEM.
    init(checks: Bool = false, authorities: String? = nil, shown: (certificate: String, key: String)? = nil) throws {
        var problem = [CChar](repeating: 0, count: Int(CR_TLS_PROBLEM_ROOM))
        let identity = shown.flatMap { shown in
            cr_identity_read(
                shown.certificate, shown.certificate.utf8.count, shown.key, shown.key.utf8.count, &problem)
        }
        var identities = [identity]
        let credentials = identity.flatMap { _ in cr_credentials_new(&identities, 1, "", 0, &problem) }
        defer {
            if let identity { cr_identity_release(identity) }
            if let credentials { cr_credentials_release(credentials) }
        }
        let made = (authorities ?? "").withCString { file in
            var config = cr_trust_config(
                checks: checks, authorities: authorities == nil ? nil : file, credentials: credentials)
            return cr_trust_new(&config, &problem)
        }
        guard let made else { throw Failure(reason: problem.upToNUL) }
        raw = made
    }

    deinit { cr_trust_release(raw) }
}

/// A server that answers the first request of each connection with a text, and closes the connection.
func answering(_ text: String, closing: Bool = true) throws -> RawServer {
    try RawServer { client, _ in
        _ = client.receive(until: "\r\n\r\n")
        try client.send(text)
        if !closing { _ = client.receiveAll() }
    }
}

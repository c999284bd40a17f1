internal import SDPlatform
internal import Synchronization

/// A bounded cache of issued certificates in the form in which they are used, so that returning clients cost nothing.
/// When full, the oldest entry not used since goes first. Any thread.
public final class IssuedCertificates<Form: Sendable>: Sendable {
    public typealias Outcome = Result<Form, CertificateProblem>

    private struct Key: Hashable {
        var host: HostName
        var defect: CertificateDefect?
    }

    private struct Entry {
        var form: Form
        /// The time in milliseconds of the wall clock, on which certificates' validity depends.
        var issuedAt: Int64
        /// Whether it was used since it was added or last spared.
        var isUsed = false
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The keys in order; when full, `next` is the index of the oldest.
        var order: [Key] = []
        var next = 0
        /// Callers waiting for certificates that are or will be issued.
        var waiting: [Key: [@Sendable (Outcome) -> Void]] = [:]
        /// Certificates still to be issued, the next one last.
        var planned: [Key] = []

        /// A cached certificate, unless it is half a day old: by then one with `notYetValid` could become valid.
        mutating func find(_ key: Key) -> Form? {
            guard let entry = entries[key], abs(SystemCalls.wallClockMilliseconds() - entry.issuedAt) < 43_200_000
            else { return nil }
            entries[key]?.isUsed = true
            return entry.form
        }

        mutating func keep(_ form: Form, _ key: Key, limit: Int) {
            let entry = Entry(form: form, issuedAt: SystemCalls.wallClockMilliseconds())
            if entries.updateValue(entry, forKey: key) != nil { return }
            guard order.count == limit else { return order.append(key) }
            // Each used entry is spared once, so that the loop ends.
            while entries[order[next]]?.isUsed == true {
                entries[order[next]]?.isUsed = false
                next = (next + 1) % limit
            }
            entries[order[next]] = nil
            order[next] = key
            next = (next + 1) % limit
        }
    }

    public let authority: CertificateAuthority
    private let limit: Int
    private let longestQueue: Int
    private let form: @Sendable (IssuedCertificate) throws(CertificateProblem) -> Form
    private let state = Mutex(State())
    private let queue = WorkQueue(name: "certificates")

    /// - Parameters:
    ///   - limit: the maximum number of certificates.
    ///   - longestQueue: the maximum number of certificates waiting to be issued.
    ///   - form: converts a certificate to the cached form.
    public init(
        of authority: CertificateAuthority, limit: Int = 1_024, longestQueue: Int = 4_096,
        form: @escaping @Sendable (IssuedCertificate) throws(CertificateProblem) -> Form
    ) {
        self.authority = authority
        self.limit = max(1, limit)
        self.longestQueue = longestQueue
        self.form = form
    }

    /// The certificate for a name, if it is cached.
    /// - Throws: if the name is invalid.
    public func known(for name: String?, defect: CertificateDefect? = nil) throws(CertificateProblem) -> Form? {
        let key = Key(host: try HostName(name), defect: defect)
        return state.withLock { $0.find(key) }
    }

    /// The certificate for a name, issued unless it is cached.
    /// - Throws: as `CertificateAuthority.issue` and `form`.
    public func certificate(
        for name: String?, defect: CertificateDefect? = nil
    ) throws(CertificateProblem) -> Form {
        let key = Key(host: try HostName(name), defect: defect)
        if let form = state.withLock({ $0.find(key) }) { return form }
        // Issued outside the lock: of two concurrent callers, each gets a result, and one result is cached.
        return try issue(key)
    }

    private func issue(_ key: Key) throws(CertificateProblem) -> Form {
        let made = try form(authority.issue(for: key.host.text, defect: key.defect))
        state.withLock { $0.keep(made, key, limit: limit) }
        return made
    }

    /// Calls `body` with the certificate for a name: at once if it is cached, otherwise when it has been issued by the
    /// issuing thread. The latest request comes first, so that a client with one name does not wait behind one with
    /// thousands.
    public func whenIssued(
        for name: String?, defect: CertificateDefect? = nil, _ body: @escaping @Sendable (Outcome) -> Void
    ) {
        let key: Key
        do throws(CertificateProblem) {
            key = Key(host: try HostName(name), defect: defect)
        } catch {
            return body(.failure(error))
        }
        let known = state.withLock { state -> Outcome? in
            if let form = state.find(key) { return .success(form) }
            if state.waiting[key] == nil {
                guard state.planned.count < longestQueue else {
                    return .failure(CertificateProblem("more than \(longestQueue) names wait for their certificates"))
                }
                state.planned.append(key)
            }
            state.waiting[key, default: []].append(body)
            return nil
        }
        if let known { return body(known) }
        queue.add { [self] in issueNext() }
    }

    /// Called once per waiting caller, which is at least once per planned certificate.
    private func issueNext() {
        guard let key = state.withLock({ $0.planned.popLast() }) else { return }
        let outcome = Outcome { () throws(CertificateProblem) in try issue(key) }
        for body in state.withLock({ $0.waiting.removeValue(forKey: key) }) ?? [] { body(outcome) }
    }

    /// The number of cached certificates.
    public var count: Int { state.withLock { $0.entries.count } }
}

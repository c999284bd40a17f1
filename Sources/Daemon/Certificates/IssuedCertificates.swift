internal import SDPlatform
internal import Synchronization

/// The certificates that an authority has issued, each in the form in which it is used, so that a client that comes again
/// costs nothing. It holds a bounded number, of which the oldest goes first that was not asked for since. Any thread.
public final class IssuedCertificates<Form: Sendable>: Sendable {
    public typealias Outcome = Result<Form, CertificateProblem>

    private struct Key: Hashable {
        var host: HostName
        var defect: CertificateDefect?
    }

    private struct Entry {
        var form: Form
        /// In milliseconds of the wall clock, by which certificates are valid.
        var issuedAt: Int64
        /// Whether it was asked for since it was made, or since it was last spared.
        var isUsed = false
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The keys in the order of their entries; `next` is the oldest once it is full.
        var order: [Key] = []
        var next = 0
        /// Who waits for certificates that are being issued, or are to be.
        var waiting: [Key: [@Sendable (Outcome) -> Void]] = [:]
        /// What is to be issued, the next one last.
        var planned: [Key] = []

        /// The certificate that is there, unless it is half a day old: one that is not valid yet would become so.
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
            // Each is spared once for having been used, so that one of them goes.
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
    ///   - limit: the most certificates that it holds.
    ///   - longestQueue: the most certificates that wait to be issued.
    ///   - form: makes of a certificate what is held.
    public init(
        of authority: CertificateAuthority, limit: Int = 1_024, longestQueue: Int = 4_096,
        form: @escaping @Sendable (IssuedCertificate) throws(CertificateProblem) -> Form
    ) {
        self.authority = authority
        self.limit = max(1, limit)
        self.longestQueue = longestQueue
        self.form = form
    }

    /// The certificate for a name, if it is there.
    /// - Throws: if the name is none.
    public func known(for name: String?, defect: CertificateDefect? = nil) throws(CertificateProblem) -> Form? {
        let key = Key(host: try HostName(name), defect: defect)
        return state.withLock { $0.find(key) }
    }

    /// The certificate for a name, which is issued if it is not there.
    /// - Throws: as `CertificateAuthority.issue` and `form`.
    public func certificate(
        for name: String?, defect: CertificateDefect? = nil
    ) throws(CertificateProblem) -> Form {
        let key = Key(host: try HostName(name), defect: defect)
        if let form = state.withLock({ $0.find(key) }) { return form }
        // Issued without the lock: of two clients that come at once, both are served, and one result is kept.
        return try issue(key)
    }

    private func issue(_ key: Key) throws(CertificateProblem) -> Form {
        let made = try form(authority.issue(for: key.host.text, defect: key.defect))
        state.withLock { $0.keep(made, key, limit: limit) }
        return made
    }

    /// Calls `body` with the certificate for a name: at once if it is there, else once it was issued, on a thread that
    /// issues one after another. What was asked for last comes first, so that a client with one name does not wait behind
    /// one with thousands.
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

    /// Called as often as somebody waits, which is no less often than something is planned.
    private func issueNext() {
        guard let key = state.withLock({ $0.planned.popLast() }) else { return }
        let outcome = Outcome { () throws(CertificateProblem) in try issue(key) }
        for body in state.withLock({ $0.waiting.removeValue(forKey: key) }) ?? [] { body(outcome) }
    }

    /// The number of certificates that it holds.
    public var count: Int { state.withLock { $0.entries.count } }
}

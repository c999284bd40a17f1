internal import SDPlatform
internal import Synchronization

/// The certificates that an authority has issued, each in the form in which it is used, so that a client that comes again
/// costs nothing. It holds a bounded number, of which the oldest goes first. Any thread.
public final class IssuedCertificates<Form: Sendable>: Sendable {
    private struct Key: Hashable {
        var host: HostName
        var defect: CertificateDefect?
    }

    private struct Entry {
        var form: Form
        /// In milliseconds of the wall clock, by which certificates are valid.
        var issuedAt: Int64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The keys in the order of their entries; `next` is the oldest once it is full.
        var order: [Key] = []
        var next = 0
    }

    public let authority: CertificateAuthority
    private let limit: Int
    private let form: @Sendable (IssuedCertificate) throws(CertificateProblem) -> Form
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the most certificates that it holds.
    ///   - form: makes of a certificate what is held.
    public init(
        of authority: CertificateAuthority, limit: Int = 1_024,
        form: @escaping @Sendable (IssuedCertificate) throws(CertificateProblem) -> Form
    ) {
        self.authority = authority
        self.limit = max(1, limit)
        self.form = form
    }

    /// The certificate for a name, which is issued if it is not there, or is half a day old: one that is not valid yet
    /// would become so.
    /// - Throws: as `CertificateAuthority.issue` and `form`.
    public func certificate(
        for name: String?, defect: CertificateDefect? = nil
    ) throws(CertificateProblem) -> Form {
        let key = Key(host: try HostName(name), defect: defect)
        let now = SystemCalls.wallClockMilliseconds()
        if let entry = state.withLock({ $0.entries[key] }), abs(now - entry.issuedAt) < 43_200_000 { return entry.form }
        // Issued without the lock: of two clients that come at once, both are served, and one result is kept.
        let made = Entry(form: try form(authority.issue(for: key.host.text, defect: defect)), issuedAt: now)
        state.withLock { state in
            if state.entries.updateValue(made, forKey: key) != nil { return }
            if state.order.count < limit {
                state.order.append(key)
            } else {
                state.entries[state.order[state.next]] = nil
                state.order[state.next] = key
                state.next = (state.next + 1) % limit
            }
        }
        return made.form
    }

    /// The number of certificates that it holds.
    public var count: Int { state.withLock { $0.entries.count } }
}

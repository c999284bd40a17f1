import Synchronization

/// The hosts for which the admin API did not answer; each is logged once.
final class RefusedHosts: Sendable {
    /// The maximum number of hosts logged, since callers can make up any number.
    static let most = 100
    /// The maximum number of characters logged of a host: the longest name.
    private static let longest = 253

    private let told = Mutex<Set<String>>([])

    /// The warning for the log; nil if it was logged before.
    func warning(of host: String, _ refusal: AdminRefusal) -> String? {
        let count = told.withLock { told -> Int? in
            guard told.count < Self.most, told.insert(String(host.prefix(Self.longest))).inserted else { return nil }
            return told.count
        }
        guard let count else { return nil }
        return "a call got a 403: \(refusal.text)" + (count == Self.most ? " Of further hosts nothing is told." : "")
    }
}

import Synchronization

/// The hosts for which the admin API did not answer, each of which is told once.
final class RefusedHosts: Sendable {
    /// The most hosts that are told, as a caller can think of any number.
    static let most = 100
    /// The most characters of a host that are told, those of the longest name.
    private static let longest = 253

    private let told = Mutex<Set<String>>([])

    /// The warning for the log; nil if it was given before.
    func warning(of host: String, _ refusal: AdminRefusal) -> String? {
        let count = told.withLock { told -> Int? in
            guard told.count < Self.most, told.insert(String(host.prefix(Self.longest))).inserted else { return nil }
            return told.count
        }
        guard let count else { return nil }
        return "a call got a 403: \(refusal.text)" + (count == Self.most ? " Of further hosts nothing is told." : "")
    }
}

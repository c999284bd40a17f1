package import SDPlatform
import Synchronization

/// Resolves names off the loops, because `getaddrinfo` blocks. Concurrent requests for a name share one lookup, and
/// results are cached for a while, as in Java. A slow lookup occupies its thread, but delays no call beyond its limit,
/// and no other name while there are threads.
package final class NameResolver: Sendable {
    package typealias Answer = Result<[String], SystemCalls.NameProblem>
    package typealias Lookup = @Sendable (String) -> Answer

    private struct Entry {
        var addresses: [String] = []
        /// The time of expiry, in monotonic nanoseconds.
        var goodUntil: UInt64 = 0
        /// The waiting closures; not empty while a lookup is running.
        var waiting: [@Sendable (Answer) -> Void] = []
        var isAsked = false
    }

    /// The maximum number of concurrent lookups.
    static let threads = 32
    /// The maximum number of cached names.
    private static let capacity = 1_000

    private let lookup: Lookup
    private let lifetime: UInt64
    private let entries = Mutex<[String: Entry]>([:])
    private let queue = WorkQueue(name: "names", threads: threads)

    /// - Parameter lifetime: the time for which a result is cached, in nanoseconds.
    package init(lifetime: UInt64 = 30_000_000_000, _ lookup: @escaping Lookup) {
        self.lifetime = lifetime
        self.lookup = lookup
    }

    /// The addresses that need no lookup: of an address itself, of this machine, and cached ones.
    func known(_ host: TargetHost) -> [String]? {
        if let known = host.known { return known }
        let now = SystemCalls.monotonicNanoseconds()
        return entries.withLock { entries in
            guard let entry = entries[host.text], entry.goodUntil > now else { return nil }
            return entry.addresses
        }
    }

    /// Resolves a name.
    /// - Parameter found: called on one of the resolver's threads.
    package func ask(_ host: String, _ found: @escaping @Sendable (Answer) -> Void) {
        let isFirst = entries.withLock { entries in
            if entries.count > Self.capacity { entries = entries.filter { $0.value.isAsked } }
            entries[host, default: Entry()].waiting.append(found)
            let isFirst = !entries[host, default: Entry()].isAsked
            entries[host]?.isAsked = true
            return isFirst
        }
        if isFirst { queue.add { [self] in look(host) } }
    }

    private func look(_ host: String) {
        let answer = lookup(host)
        let waiting = entries.withLock { entries in
            let waiting = entries.removeValue(forKey: host)?.waiting ?? []
            if case .success(let addresses) = answer, !addresses.isEmpty {
                entries[host] = Entry(
                    addresses: addresses, goodUntil: SystemCalls.monotonicNanoseconds() + lifetime)
            }
            return waiting
        }
        for found in waiting { found(answer) }
    }

    /// Runs work that needs the disk, before the first call.
    package func prepare(_ work: @escaping @Sendable () -> Void) {
        queue.add(work)
    }
}

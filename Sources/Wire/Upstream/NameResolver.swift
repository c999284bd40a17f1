package import SDPlatform
import Synchronization

/// The addresses of names, asked for beside the loops: `getaddrinfo` waits for the network. A name is asked for once at
/// a time, whoever waits for it, and kept for a while, as Java does. A name of which nobody knows anything keeps its
/// thread, but no call longer than the limit, and no other name waits for it as long as there are threads.
package final class NameResolver: Sendable {
    package typealias Answer = Result<[String], SystemCalls.NameProblem>
    package typealias Lookup = @Sendable (String) -> Answer

    private struct Entry {
        var addresses: [String] = []
        /// The time until which they are good, in monotonic nanoseconds.
        var goodUntil: UInt64 = 0
        /// Who waits; not empty while the name is asked for.
        var waiting: [@Sendable (Answer) -> Void] = []
        var isAsked = false
    }

    /// The number of names that are asked for at once.
    static let threads = 32
    /// The names that are kept.
    private static let capacity = 1_000

    private let lookup: Lookup
    private let lifetime: UInt64
    private let entries = Mutex<[String: Entry]>([:])
    private let queue = WorkQueue(name: "names", threads: threads)

    /// - Parameter lifetime: the time for which an answer is good, in nanoseconds.
    package init(lifetime: UInt64 = 30_000_000_000, _ lookup: @escaping Lookup) {
        self.lifetime = lifetime
        self.lookup = lookup
    }

    /// The addresses that need no question: those of an address itself, of this machine, and of what is known.
    func known(_ host: TargetHost) -> [String]? {
        if let known = host.known { return known }
        let now = SystemCalls.monotonicNanoseconds()
        return entries.withLock { entries in
            guard let entry = entries[host.text], entry.goodUntil > now else { return nil }
            return entry.addresses
        }
    }

    /// Asks for the addresses of a name.
    /// - Parameter found: called on a thread of the resolver's.
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

    /// Runs what takes a moment of the disk before the first call.
    package func prepare(_ work: @escaping @Sendable () -> Void) {
        queue.add(work)
    }
}

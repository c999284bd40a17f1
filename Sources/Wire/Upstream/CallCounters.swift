import SDPlatform

/// Counts of the process's calls to other servers, for monitoring. Never reset.
package final class CallCounters: Sendable {
    private let counters = AtomicCounters(count: 1 + UpstreamProblem.Kind.allCases.count)

    func began() { counters.add(at: 0) }

    func failed(_ kind: UpstreamProblem.Kind) {
        let index = UpstreamProblem.Kind.allCases.firstIndex(of: kind) ?? 0
        counters.add(at: 1 + index)
    }

    /// The number of calls started.
    package var begun: UInt64 { counters[0] }

    /// The number of failed calls by reason. Calls cancelled because the client disconnected are not included.
    package var failures: [(kind: UpstreamProblem.Kind, count: UInt64)] {
        UpstreamProblem.Kind.allCases.enumerated().map { ($1, counters[1 + $0]) }
    }
}

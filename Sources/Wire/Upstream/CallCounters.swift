import SDPlatform

/// What became of the calls of the process to other servers, as far as monitoring asks for it. Nothing resets it.
package final class CallCounters: Sendable {
    private let counters = AtomicCounters(count: 1 + UpstreamProblem.Kind.allCases.count)

    func began() { counters.add(at: 0) }

    func failed(_ kind: UpstreamProblem.Kind) {
        let index = UpstreamProblem.Kind.allCases.firstIndex(of: kind) ?? 0
        counters.add(at: 1 + index)
    }

    /// The number of calls that were begun.
    package var begun: UInt64 { counters[0] }

    /// The number of calls that have failed for each reason. Calls that were given up, as the client has left, have not.
    package var failures: [(kind: UpstreamProblem.Kind, count: UInt64)] {
        UpstreamProblem.Kind.allCases.enumerated().map { ($1, counters[1 + $0]) }
    }
}

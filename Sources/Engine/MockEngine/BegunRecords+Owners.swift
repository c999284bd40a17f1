import SDJournal
import SDMatching
import SDPlatform
import SDReports

extension BegunRecords {
    /// The most stubs that are tried for requests without the identity of a session.
    private static let most = 1_000

    /// Says of requests that a stub of a begun session would have answered, and never did, whose it is: these came without the
    /// session's identity.
    /// - Parameter events: the unmatched requests of the session itself.
    func addOwners(to requests: inout [Report.Unmatched], _ events: [ServeEvent], _ budget: WorkBudget) {
        guard !requests.isEmpty else { return }
        let records = (live + ended.records).sorted { $0.number < $1.number }
        let unused = records.flatMap { record in record.unused.map { (stub: $0, test: record.test) } }.prefix(Self.most)
        guard !unused.isEmpty else { return }
        let bySequence = Dictionary(events.map { ($0.sequence, $0) }) { first, _ in first }
        for index in requests.indices {
            guard let event = bySequence[requests[index].sequence] else { continue }
            var views = RequestViews(event.request, budget: budget)
            let owner = unused.first { $0.stub.pattern.matches(event.request, &views) }
            if views.isSpent { return }
            guard let owner else { continue }
            requests[index].owner = owner.test
            requests[index].nearest = Report.Nearest(
                stub: owner.stub.reference, distance: 0, differences: [], change: "", conditions: [])
        }
    }
}

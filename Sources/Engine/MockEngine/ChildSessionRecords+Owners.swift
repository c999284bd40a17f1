import SDJournal
import SDMatching
import SDPlatform
import SDReports

extension ChildSessionRecords {
    /// The largest number of stubs that are tried on requests without a session's id.
    private static let most = 1_000

    /// Adds, to each request that an unused stub of a child session would have answered, the name of that session: the
    /// request lacked the session's id.
    /// - Parameter events: the unmatched requests of the parent session itself.
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

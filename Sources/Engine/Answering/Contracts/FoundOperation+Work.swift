package import SDContracts
package import SDHTTPTransport
import SDOpenAPI
import SDOutgoingCalls
package import SDPlatform

/// How much work an operation causes, and who does it.
extension FoundOperation {
    /// The largest body that a loop looks at.
    private static var largestOnLoop: Int { 64 << 10 }
    /// The processor time up to which a job is one for loops, in nanoseconds of optimized code.
    private static var quickTime: UInt64 { 1_000_000 }

    /// Whether a loop may do a job for a request: that has little to look at, and the job took little time before.
    package func isQuick(_ job: ServedContract.Job, for request: Request) -> Bool {
        request.bodyCount <= Self.largestOnLoop && !GzipReader.isGzip(request.body) && contract.isQuick(job, index)
    }

    /// Who does a job beside the loop: what is known to take long waits for its like alone.
    package func queue(_ job: ServedContract.Job, _ session: any AnsweringSession) -> WorkQueue {
        contract.isDear(job, index) ? session.dear : session.matching
    }

    /// Does a job on a thread of its own, and notes whether a loop may do it next time.
    package func measured<Value>(
        _ job: ServedContract.Job, _ budget: WorkBudget, _ work: () -> Value
    ) -> Value {
        let before = budget.left
        let value = work()
        let after = budget.left
        contract.note(
            job, index, isQuick: !budget.isSpent && before - min(before, after) <= Self.quickTime * WorkBudget.slowness)
        return value
    }

    /// The reason why there is no answer, or no check: it is more work than a request may cause.
    package func tooDear(_ task: String, _ budget: WorkBudget) -> OperationRefusal {
        OperationRefusal(
            "\(task) of \(operation.key) in \(contract.name) takes more than \(budget.limit / 1_000_000) ms of processor "
                + "time; make its schema smaller, or raise the limit with --match-budget")
    }
}

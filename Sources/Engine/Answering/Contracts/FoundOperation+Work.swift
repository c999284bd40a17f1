package import SDContracts
package import SDHTTPTransport
import SDOpenAPI
import SDOutgoingCalls
package import SDPlatform

/// The cost of an operation, and the threads for it.
extension FoundOperation {
    /// The largest body that a loop examines, in bytes.
    private static var largestOnLoop: Int { 64 << 10 }
    /// The largest processor time of a job on a loop, in nanoseconds of optimized code.
    private static var quickTime: UInt64 { 1_000_000 }

    /// Whether a loop may do a job for a request: there is little to examine, and the job was quick before.
    package func isQuick(_ job: ServedContract.Job, for request: Request) -> Bool {
        request.bodyCount <= Self.largestOnLoop && !GzipReader.isGzip(request.body) && contract.isQuick(job, index)
    }

    /// The queue for a job off the loop: slow jobs only wait for each other.
    package func queue(_ job: ServedContract.Job, _ session: any AnsweringSession) -> WorkQueue {
        contract.isExpensive(job, index) ? session.expensiveWork : session.matching
    }

    /// Does a job on a background thread, and records whether a loop may do it next time.
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

    /// The reason for no answer or check: the work exceeds a request's budget.
    package func tooExpensive(_ task: String, _ budget: WorkBudget) -> OperationRefusal {
        OperationRefusal(
            "\(task) of \(operation.key) in \(contract.name) takes more than \(budget.limit / 1_000_000) ms of processor "
                + "time; make its schema smaller, or raise the limit with --match-budget")
    }
}

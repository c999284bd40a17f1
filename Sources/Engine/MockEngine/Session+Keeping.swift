import SDHTTPMessages
import SDJournal
package import SDPlatform
package import SDRecords
import SDStubs
import Synchronization

extension Session: StateOwner {
    package var stateLimits: StateLimits { options.stateLimits }

    package func inOrder<Result: Sendable>(
        _ change: () throws(StateProblem) -> Result
    ) throws(StateProblem) -> Result {
        try state.withLock { _ throws(StateProblem) in
            defer { conditions.add(1, ordering: .releasing) }
            return try change()
        }
    }
}

/// Collections that write their changes to the file they were read from: the field `write`. Only the default session
/// writes; changes in other sessions stay in memory.
extension Session: CollectionOwner {
    package var resources: ResourceTable { state.withLock { upToDate(&$0).resources } }
    package var keepsChangedData: Bool { parent != nil }
    package var writesData: Bool { options.label == nil }

    package func withData<Result: Sendable>(
        _ body: (inout SessionData, inout SeededGenerator) -> Result
    ) -> Result {
        state.withLock { body(&$0.data, &$0.generator) }
    }

    package func writeFiles(_ work: @Sendable () -> Void) { editing.withLock { _ in work() } }

    package func writeFilesLater(_ work: @escaping @Sendable () -> Void) { bodyWork.add { [self] in writeFiles(work) } }

    package func warned(_ message: String) { trouble?.warned(message) }
}

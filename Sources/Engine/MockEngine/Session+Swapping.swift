import SDAnswering
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

/// Changes of many stubs: made to a copy, without the session's lock, which then replaces the stubs in one step.
/// Requests neither wait for the change nor see a part of it.
extension Session {
    /// The largest number of stubs that a change touches under the lock.
    static var maxUnderLock: Int { 200 }

    /// The number of attempts. If something else changed during each, the last one runs under the lock.
    private static var maxAttempts: Int { 4 }

    /// Changes the stubs. Must not be called on a loop, nor under a lock of the session other than `editing`.
    /// - Parameters:
    ///   - isReplaced: whether a stub inherits the counter of the stub with its id. Copies always do.
    ///   - edit: the change. It is repeated if the copy is out of date when it is finished.
    ///   - holds: whether the change still applies to the current state.
    ///   - commit: the rest of the change.
    func changeCopy(
        takingOver isReplaced: (StubMapping.ID) -> Bool = { _ in false }, _ edit: (inout StubSet) -> Void,
        holds: (borrowing State) -> Bool = { _ in true }, commit: (inout State) -> Void = { _ in }
    ) {
        if replaceByCopy(takingOver: isReplaced, edit, holds: holds, commit: commit) { return }
        change { state in
            edit(&state.stubs)
            commit(&state)
        }
    }

    /// Rebuilds the table of all stubs, which is fastest to search: at once if there are few, else in the background.
    /// - Returns: whether the caller must start `changes`, after releasing the lock.
    func scheduleTableRebuild(_ state: inout State) -> Bool {
        guard state.stubs.ownCount > Self.maxUnderLock else {
            state.stubs.rebuildTable()
            publish(&state)
            return false
        }
        state.isRebuildingTable = true
        return changes.append { [self] in rebuildTableInBackground() }
    }

    private func rebuildTableInBackground() {
        let isDone = replaceByCopy { $0.rebuildTable() }
        state.withLock { state in
            state.isRebuildingTable = false
            // While stubs keep changing, a table would be out of date at once.
            if !isDone { state.nextTableRebuild = state.changes + UInt64(state.stubs.ownCount / 4) }
        }
    }

    /// Changes a copy of the stubs, and replaces them with it.
    /// - Returns: false if something else changed during each attempt; the change is not made then.
    private func replaceByCopy(
        takingOver isReplaced: (StubMapping.ID) -> Bool = { _ in false }, _ edit: (inout StubSet) -> Void,
        holds: (borrowing State) -> Bool = { _ in true }, commit: (inout State) -> Void = { _ in }
    ) -> Bool {
        for _ in 0..<Self.maxAttempts {
            bringUpToDate()
            let (before, changes) = state.withLock { ($0.stubs, $0.changes) }
            var copy = before
            copy.beginBatch()
            edit(&copy)
            copy.endBatch()
            let successors = copy.successors(of: before, isReplaced)
            let isDone = state.withLock { state in
                guard state.changes == changes, !isBehind(state), holds(state) else { return false }
                // Requests have been counted since the copy was made.
                for (old, successor) in successors { successor.hits = old.hits }
                copy.takeOverInheritedHits(of: state.stubs, isReplaced)
                // The old stubs are freed later, outside the lock.
                swap(&state.stubs, &copy)
                commit(&state)
                publish(&state)
                return true
            }
            if isDone {
                chargeRemovedStubs()
                return true
            }
        }
        return false
    }
}

import SDAnswering
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

/// Changes of many stubs: made to a copy, without the session's lock, which then takes the place of the stubs in one
/// step. Requests neither wait for the change nor see a part of it.
extension Session {
    /// The number of stubs up to which a change is made under the lock.
    static var maxUnderLock: Int { 200 }

    /// The number of attempts. If something else has changed during each, the last is made under the lock.
    private static var maxAttempts: Int { 4 }

    /// Changes the stubs. Must not be called on a loop, nor under a lock of the session but `editing`.
    /// - Parameters:
    ///   - isReplaced: whether a stub takes over the counter of the one whose id it has. Copies always do.
    ///   - edit: the change. It is called again if the copy is out of date when it is finished.
    ///   - holds: whether the change is still right for the current state.
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

    /// Moves all stubs to one table, where finding one is fastest: at once if there are few, else beside the loops.
    /// - Returns: whether `changes` must be started, without the lock.
    func settle(_ state: inout State) -> Bool {
        guard state.stubs.ownCount > Self.maxUnderLock else {
            state.stubs.settle()
            publish(&state)
            return false
        }
        state.isSettling = true
        return changes.append { [self] in settleInBackground() }
    }

    private func settleInBackground() {
        let isDone = replaceByCopy { $0.settle() }
        state.withLock { state in
            state.isSettling = false
            // Where stubs change all the time, a table would be out of date at once.
            if !isDone { state.nextSettling = state.changes + UInt64(state.stubs.ownCount / 4) }
        }
    }

    /// Changes a copy of the stubs, and replaces them by it.
    /// - Returns: false if something else has changed during each attempt, so that the change is not made.
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
                // The old stubs are freed later, without the lock.
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

import SDChannels
public import SDHTTPTransport
public import SDJournal
public import SDMatching
public import SDStubModel
import Synchronization

/// The faults of a session.
extension Session {
    /// The session's faults, in the order in which they act, each with the number of answers it has acted on.
    public var faults: [(fault: ActiveFault, acted: Int)] {
        state.withLock { state in state.faults.map { ($0, state.faultLedger.acted($0.program)) } }
    }

    /// Adds faults after the existing ones.
    /// - Parameter set: the set that they belong to, whose current faults they replace; nil for none.
    /// - Returns: the faults as added.
    /// - Throws: what keeps one of them from acting; none is added then.
    @discardableResult
    public func addFaults(_ faults: [SessionFault], set: String? = nil) throws(FaultRefusal) -> [ActiveFault] {
        var compiled: [ActiveFault] = []
        for (index, fault) in faults.enumerated() {
            do throws(PatternProblems) {
                compiled.append(try ActiveFault(fault, set: set))
            } catch {
                throw .unserved(index: index, error.problems.map { ServingProblem($0) })
            }
        }
        for fault in compiled { fault.program.isMade(by: changeNumber) }
        let added = compiled
        // `limitsUploads` is read before the lock is taken, and the faults under it.
        if faults.contains(where: { $0.rule?.isAboutUploads == true }) {
            shared.limitsUploads.store(true, ordering: .relaxed)
        }
        if faults.contains(where: { $0.messages != nil }) { channels.hasFaults.store(true, ordering: .relaxed) }
        if faults.contains(where: { $0.connection != nil }) { shared.breaksConnections.store(true, ordering: .relaxed) }
        let all = try change { state throws(FaultRefusal) in
            var kept = state.faults
            if let set {
                state.noteActs(of: kept.filter { $0.set == set })
                kept.removeAll { $0.set == set }
            }
            let known = Set(kept.map(\.id))
            if let twice = added.first(where: { known.contains($0.id) }) { throw .duplicateID(twice.id) }
            guard kept.count + added.count <= Self.maxFaults else { throw .tooMany(Self.maxFaults) }
            state.faults = kept + added
            return added
        }
        for fault in all { activity.note(.fault(.added, id: fault.id, name: fault.fault.name)) }
        return all
    }

    /// Whether session faults must be checked for the read rate of request bodies.
    public var limitsUploads: Bool { shared.limitsUploads.load(ordering: .relaxed) }

    /// The rate at which a request's body is read, in bytes per second; nil for no limit, `UInt64.max` for never.
    /// - Parameter head: the request without its body.
    public func readRate(of head: Request) -> UInt64? {
        let faults = state.withLock { $0.faults.filter { $0.fault.rule?.isAboutUploads == true } }
        guard !faults.isEmpty else { return nil }
        var views = RequestViews(head, budgetLimit: Self.loopBudget)
        let meant = faults.filter { $0.pattern.matches(head, &views) }
        if let never = meant.first(where: { $0.fault.rule?.neverReads == true }) {
            // Counted here, since the request will never arrive.
            let acts = state.withLock { $0.faultLedger.acts(never.program, now: $0.clock(), &$0.generator) }
            if acts { shared.requests.noteFault("neverRead") }
            return .max
        }
        let rates = meant.compactMap(\.fault.rule?.readRate?.bytesPerSecond)
        return rates.min().map { max(UInt64(clamped: Double($0) / timeScale), 1) }
    }

    /// The largest number of faults of a session: every request checks each of them.
    public static var maxFaults: Int { 1_000 }

    /// Removes the faults that meet a condition.
    /// - Returns: the removed faults.
    @discardableResult
    public func removeFaults(where isDoomed: @Sendable (ActiveFault) -> Bool) -> [ActiveFault] {
        let (removed, areAll) = change { state in
            let doomed = state.faults.filter(isDoomed)
            state.faults.removeAll(where: isDoomed)
            state.noteActs(of: doomed)
            for fault in doomed { state.faultLedger.forget(fault.program) }
            return (doomed, state.faults.isEmpty)
        }
        if areAll, removed.count > 1 {
            activity.note(.fault(.cleared, id: nil, name: nil))
        } else {
            for fault in removed { activity.note(.fault(.removed, id: fault.id, name: fault.fault.name)) }
        }
        return removed
    }
}

/// The reason why a fault is refused.
public enum FaultRefusal: Error, Sendable {
    /// The pattern of the fault at an index is not supported.
    case unserved(index: Int, [ServingProblem])
    case duplicateID(StubMapping.ID)
    case tooMany(Int)
}

public import SDHTTPTransport
public import SDJournal
public import SDMatching
public import SDStubModel
import Synchronization

/// The faults of a session.
extension Session {
    /// The session's faults, in the order in which they act, with the number of answers that each has acted on.
    public var faults: [(fault: ActiveFault, acted: Int)] {
        state.withLock { state in state.faults.map { ($0, state.faultLedger.acted($0.program)) } }
    }

    /// Adds faults behind those that there are.
    /// - Parameter set: the set that they come from, which they replace; nil for none.
    /// - Returns: the faults as they were added.
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
        let added = compiled
        // Each is read before the session's lock is taken, under which the faults are then found.
        if faults.contains(where: { $0.rule?.isAboutUploads == true }) {
            shared.limitsUploads.store(true, ordering: .relaxed)
        }
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

    /// Whether the sessions' faults have to be asked how fast to read the bodies of requests.
    public var limitsUploads: Bool { shared.limitsUploads.load(ordering: .relaxed) }

    /// The rate at which the body of a request is to be read, in bytes a second; nil for as fast as it comes, `UInt64.max`
    /// for never.
    /// - Parameter head: the request without its body.
    public func readRate(of head: Request) -> UInt64? {
        let faults = state.withLock { $0.faults.filter { $0.fault.rule?.isAboutUploads == true } }
        guard !faults.isEmpty else { return nil }
        var views = RequestViews(head, budgetLimit: Self.loopBudget)
        let meant = faults.filter { $0.pattern.matches(head, &views) }
        if let never = meant.first(where: { $0.fault.rule?.neverReads == true }) {
            // Nothing else will say that it has acted: the request is never there.
            let acts = state.withLock { $0.faultLedger.acts(never.program, now: $0.clock(), &$0.generator) }
            if acts { shared.requests.noteFault("neverRead") }
            return .max
        }
        let rates = meant.compactMap(\.fault.rule?.readRate?.bytesPerSecond)
        return rates.min().map { max(UInt64(clamped: Double($0) / timeScale), 1) }
    }

    /// The most faults of a session: each is looked at for every request.
    public static var maxFaults: Int { 1_000 }

    /// Removes the faults that meet a condition.
    /// - Returns: those faults.
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

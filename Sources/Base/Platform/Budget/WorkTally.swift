/// Records which work spent a budget. Keeps only work that can still be the costliest.
struct WorkTally {
    private typealias Share = (work: WorkBudget.Work, time: UInt64)

    /// The work at the last look and the costliest before it, since the last attribution.
    private var current: Share?
    private var costliestWork: Share?
    private var unattributed: UInt64 = 0
    /// The processor time at the last attribution.
    private var attributed: UInt64 = 0
    private var owner: (subject: AnyObject, time: UInt64, work: WorkBudget.Work?)?
    /// The work that reached a limit.
    private var stopped: WorkBudget.Work?
    private var stoppedSubject: AnyObject?

    var hasUnattributed: Bool { unattributed > 0 || (stopped != nil && stoppedSubject == nil) }

    mutating func add(_ time: UInt64, _ work: WorkBudget.Work) {
        unattributed += time
        if let share = current, share.work == work {
            current?.time = share.time + time
        } else {
            if let share = current, share.time > costliestWork?.time ?? 0 { costliestWork = share }
            current = (work, time)
        }
    }

    mutating func stop(at work: WorkBudget.Work) {
        stopped = work
    }

    /// - Parameter spent: the processor time so far. Between two looks only the elapsed time is known.
    mutating func attribute(to subject: AnyObject, spent: UInt64) {
        if stopped != nil, stoppedSubject == nil { stoppedSubject = subject }
        let isSame = owner?.subject === subject
        let time = spent - min(attributed, spent) + (isSame ? owner?.time ?? 0 : 0)
        attributed = spent
        if isSame || owner == nil || time > owner?.time ?? 0 { owner = (subject, time, costliest?.work ?? owner?.work) }
        (current, costliestWork, unattributed) = (nil, nil, 0)
    }

    private var costliest: Share? {
        guard let current, current.time >= costliestWork?.time ?? 0 else { return costliestWork ?? current }
        return current
    }

    /// The work that took most of the time or reached a limit, and its subject.
    func costliest(isStopped: Bool) -> (WorkBudget.Work?, AnyObject?) {
        if isStopped { return (stopped, stoppedSubject) }
        if let owner, owner.time >= unattributed { return (owner.work, owner.subject) }
        return (costliest?.work, nil)
    }
}

import SDHTTPTransport
package import SDStubModel

/// What a fault's rule counts for a request if all replicas count together: first requests, and requests of a period.
package struct FaultCount: Sendable {
    package let program: FaultProgram
    /// The index of the rule in the program.
    package let rule: Int
    /// The name of the shared count.
    package let field: String
    /// The number of first requests known here.
    package let known: Int
    /// The number of requests, from the first, on which the rule acts; nil for any.
    package let first: Int?
    /// The request's value, if `first` is counted per value; nil for one count.
    package let value: [UInt8]?
    /// The quota past which the rule acts.
    package let quota: FaultRule.Quota?

    /// - Parameter owner: identifies the program's owner, and since when it counts.
    init(_ program: FaultProgram, _ rule: Int, of owner: String, known: Int, _ request: Request) {
        let conditions = program.rules[rule].conditions
        (self.program, self.rule, first, quota) = (program, rule, conditions.first, conditions.quota)
        field = "f:\(owner):\(rule)"
        value = conditions.first == nil ? nil : conditions.firstPer.map { Self.value(of: $0, request) }
        self.known = value == nil ? known : 0
    }

    package init(_ field: String, known: Int, first: Int?, value: [UInt8]?, quota: FaultRule.Quota?) {
        (program, rule, self.field, self.known) = (FaultProgram([]), 0, field, known)
        (self.first, self.value, self.quota) = (first, value, quota)
    }

    static func value(of header: String, _ request: Request) -> [UInt8] {
        request.header(Array(header.lowercased().utf8)).map { Array($0) } ?? []
    }

    /// The counts of all replicas before the request.
    package struct Verdict: Sendable, Equatable {
        /// The number of first requests, at most as many as the rule acts on; nil if they are not counted.
        package var seen: Int?
        /// The milliseconds until the next period; 0 within the quota, nil if there is no quota.
        package var wait: Int?

        package init(seen: Int? = nil, wait: Int? = nil) {
            (self.seen, self.wait) = (seen, wait)
        }
    }

    /// Whether the counts let the rule act.
    func acts(by verdict: Verdict) -> Bool {
        if let first, verdict.seen ?? first >= first { return false }
        return quota == nil || verdict.wait ?? 0 > 0
    }
}

/// The faults of an answer that are sampled once all replicas have counted the request.
package struct OpenFaults: Sendable {
    package let counts: [FaultCount]
    /// The session's faults that match the request.
    package let faults: [ActiveFault]
    /// The number of the change that last reset the session.
    package let reset: UInt64

    package init(_ counts: [FaultCount], _ faults: [ActiveFault], reset: UInt64) {
        (self.counts, self.faults, self.reset) = (counts, faults, reset)
    }
}

extension FaultRule.Conditions {
    /// Whether the rule counts requests.
    var isCounted: Bool { first != nil || quota != nil }
}

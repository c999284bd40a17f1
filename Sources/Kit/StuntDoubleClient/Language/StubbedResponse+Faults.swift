public import SDStubModel

/// Answers that break.
extension StubbedResponse {
    /// A connection that breaks instead of an answer: `.fault(.connectionReset)`, `.fault(.neverAnswer)`.
    public static func fault(_ rules: FaultRule...) -> StubbedResponse { StubbedResponse().adding(rules) }

    /// Breaks the answer: `.json(order).fault(.cut(after: 10, then: .reset))`. Several rules act in their order, after
    /// those before.
    public func fault(_ rules: FaultRule...) -> StubbedResponse { adding(rules) }

    /// Ends the answer behind that many bytes of its body.
    public func cut(after bytes: Int, then end: FaultRule.End = .close) -> StubbedResponse {
        fault(.cut(after: bytes, then: end))
    }

    /// Ends the answer behind a place: `.share(0.5)` of the body, the `.head`, a number of `.chunk(2)`.
    public func cut(after place: FaultRule.Cut, then end: FaultRule.End = .close) -> StubbedResponse {
        fault(.cut(after: place, then: end))
    }

    /// Sends the body at a rate: `.file("film.mp4").bandwidth(.kilobytes(30))`.
    public func bandwidth(_ rate: ByteRate) -> StubbedResponse { fault(.bandwidth(rate)) }

    private func adding(_ rules: [FaultRule]) -> StubbedResponse {
        changing { response in
            let rules = (response.faults?.rules ?? response.fault.map { [.kind($0)] } ?? []) + rules
            if rules.count == 1, case .fault(let fault) = rules[0].replacement, rules[0] == .kind(fault) {
                // WireMock's own form.
                response.fault = fault
                response.faults = nil
            } else if !rules.isEmpty {
                response.fault = nil
                response.faults = FaultPlan(rules)
            }
        }
    }
}

import SDStubModel

/// Faults of an answer.
extension Stub.Answer {
    /// A broken connection in place of an answer: `.fault(.connectionReset)`, `.fault(.neverAnswer)`.
    public static func fault(_ rules: Stub.Fault...) -> Stub.Answer { Stub.Answer().adding(rules) }

    /// Breaks the answer: `.json(order).fault(.cut(after: 10, then: .reset))`. Rules apply in order, after those
    /// already set.
    public func fault(_ rules: Stub.Fault...) -> Stub.Answer { adding(rules) }

    /// Ends the answer after that many bytes of its body.
    public func cut(after bytes: Int, then end: Stub.Fault.End = .close) -> Stub.Answer {
        fault(.cut(after: bytes, then: end))
    }

    /// Ends the answer after a point: `.nothing`, the `.head`, `.share(0.5)` of the body, or `.chunk(2)`.
    public func cut(after place: Stub.Fault.Place, then end: Stub.Fault.End = .close) -> Stub.Answer {
        fault(.cut(after: place, then: end))
    }

    /// Sends the body at a rate: `.file("film.mp4").bandwidth(.kilobytes(30))`.
    public func bandwidth(_ rate: Stub.Rate) -> Stub.Answer { fault(.bandwidth(rate)) }

    private func adding(_ faults: [Stub.Fault]) -> Stub.Answer {
        changing { response in
            let known = response.faults?.rules ?? response.fault.map { [SDStubModel.FaultRule(kind: $0)] } ?? []
            let rules = known + faults.map(\.model)
            if rules.count == 1, case .fault(let fault) = rules[0].replacement,
                rules[0] == SDStubModel.FaultRule(kind: fault)
            {
                // WireMock's own `fault`.
                response.fault = fault
                response.faults = nil
            } else if !rules.isEmpty {
                response.fault = nil
                response.faults = FaultPlan(rules)
            }
        }
    }
}

extension SDStubModel.FaultRule {
    fileprivate init(kind: SDStubModel.Fault) {
        self.init()
        replacement = .fault(kind)
    }
}

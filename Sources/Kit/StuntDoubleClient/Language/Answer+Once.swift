import SDStubModel

/// Answers that replace a stub's answer for one request: from a handler, or on release from a gate.
extension Stub.Answer {
    /// The response of an answer to a single request. Properties of a stub, and counts, have no effect there.
    /// - Throws: `Stub.Problem` for such a property, or from `resolved`.
    func resolvedOnce(by giver: String) throws(Stub.Problem) -> ResponseDefinition {
        let response = try resolvedInPlace(by: giver)
        for rule in response.faults?.rules ?? [] {
            let conditions = rule.conditions
            let counting = [
                conditions.first.map { ".first(\($0))" }, conditions.quota.map { ".quota(\($0.limit), per:)" },
                conditions.concurrency.map { ".concurrency(\($0))" },
            ]
            guard let found = counting.compactMap(\.self).first else { continue }
            throw Stub.Problem(
                "\(found) counts several answers, and \(giver) gives one; expected a count of the test's own, such as "
                    + "request.sequence, or a fault of the session: mock.addFault(…)")
        }
        return response
    }

    /// The response of an answer that replaces a stub's.
    /// - Throws: `Stub.Problem` for a property of a stub, or from `resolved`.
    func resolvedInPlace(by giver: String) throws(Stub.Problem) -> ResponseDefinition {
        let response = try resolved()
        let statements = [
            count.map { ".times(\($0))" }, drawingWeight.map { ".weight(\($0))" }, end.map { ".onEnd(.\($0))" },
            key.map { ".per of \($0.text)" },
            changesOfStub.isEmpty ? nil : "what it says about its stub, such as .named or .priority or .capture,",
            response.fallThrough == true ? ".fallThrough()" : nil,
        ]
        guard let found = statements.compactMap(\.self).first else { return response }
        throw Stub.Problem("\(found) has no effect in the answer of \(giver); expected it in an answer of mock.stub(…)")
    }
}

public import SDJSON
public import SDStubModel

extension StubMapping {
    /// Makes a stub of a request and its answers.
    ///
    /// Several answers are given in turn, each once or as often as its ``StubbedResponse/times(_:)`` says; the last one
    /// is repeated, unless it says how often, too. Answers with a ``StubbedResponse/weight(_:)`` are drawn at random.
    /// - Throws: what was wrong with the request, or with an answer; that there is none.
    public init(_ request: RequestPattern, _ answers: [StubbedResponse]) throws(StubProblem) {
        self.init(request: try request.checked())
        guard !answers.isEmpty else {
            throw StubProblem("a stub without an answer; expected one, such as .status(200)")
        }
        var entries: [ResponseSequence.Entry] = []
        for answer in answers {
            if let weight = answer.drawingWeight, !(1...1_000_000).contains(weight) {
                throw StubProblem(".weight(\(weight)): expected a frequency from 1 to 1000000")
            }
            entries.append(ResponseSequence.Entry(try answer.resolved(), weight: answer.drawingWeight))
        }
        if let first = entries.first { response = first.response }
        if entries.contains(where: { $0.weight != nil }) {
            guard answers.allSatisfy({ $0.count == nil }) else {
                throw StubProblem("answers are drawn by weight or counted by times, not both")
            }
            guard answers.allSatisfy({ $0.end == nil }) else {
                throw StubProblem("answers that are drawn by weight have no end; expected none of .onEnd")
            }
            responses = ResponseSequence(entries, select: .random)
        } else {
            try setSequence(entries, counts: answers.map(\.count), end: answers.lazy.compactMap(\.end).last)
        }
        for change in answers.flatMap(\.changesOfStub) { change(&self) }
        if let ttl = ttlMilliseconds, ttl < 1 {
            throw StubProblem(".ttl of \(ttl) ms: expected a time above 0, such as .seconds(30)")
        }
    }

    /// Makes a stub of a request and its answers; see ``init(_:_:)-([StubbedResponse])``.
    /// - Throws: what was wrong with the request's path, or with a value of an answer.
    public init(
        _ request: RequestPattern, _ answer: StubbedResponse, _ others: StubbedResponse...
    ) throws(StubProblem) {
        try self.init(request, [answer] + others)
    }
}

extension StubMapping {
    /// The most responses of one stub that counts may amount to.
    private static let longestSequence = 10_000

    /// Sets the responses in turn, each as often as its count says.
    /// - Throws: `StubProblem` if the counts amount to more than 10,000 responses.
    private mutating func setSequence(
        _ entries: [ResponseSequence.Entry], counts: [Int?], end: ResponseSequence.End?
    ) throws(StubProblem) {
        var turns = counts.map { $0 ?? 1 }
        if end == nil, let last = counts.last {
            // A stub that is used up lets others answer; otherwise the last is repeated anyway.
            times = last == nil ? nil : turns.reduce(0, +)
            turns[turns.count - 1] = 1
        }
        guard entries.count > 1 || end != nil else { return }
        guard turns.reduce(0, +) <= Self.longestSequence else {
            throw StubProblem("a sequence of more than \(Self.longestSequence) answers")
        }
        responses = ResponseSequence(zip(entries, turns).flatMap { Array(repeating: $0, count: $1) }, onEnd: end)
    }
}

/// Stubs in WireMock's own form, for `mock.stub(.mapping(json: …))`.
extension StubMapping {
    /// Reads a mapping in WireMock's JSON, as a text; comments and single quotes are allowed.
    /// - Throws: what is wrong with the text, with line and column, or with the mapping.
    public static func mapping(json text: String) throws(StubProblem) -> StubMapping {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: text, dialect: .lenient)
        } catch {
            throw StubProblem("line \(error.line), column \(error.column) of the mapping: \(error)")
        }
        return try mapping(json: value)
    }

    /// Reads a mapping in WireMock's JSON, as a literal.
    /// - Throws: what is wrong with it.
    public static func mapping(json value: JSONValue) throws(StubProblem) -> StubMapping {
        do throws(ModelProblems) {
            return try StubMapping(json: value)
        } catch {
            throw StubProblem(error.description)
        }
    }
}

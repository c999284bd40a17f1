import SDJSON
import SDStubModel

extension Stub {
    /// Makes a stub from a request and its answers.
    ///
    /// Several answers are given in turn, each once or as often as its ``Stub/Answer/times(_:)``
    /// says. The last one repeats unless it has `times`, too. Answers with a ``Stub/Answer/weight(_:)`` are picked at
    /// random.
    /// - Throws: the problem of the request or of an answer; an error if there is no answer.
    public init(_ request: Request, _ answers: [Answer]) throws(Stub.Problem) {
        var stub = SDStubModel.StubMapping(request: try request.checked().model)
        guard !answers.isEmpty else {
            throw Stub.Problem("a stub without an answer; expected one, such as .status(200)")
        }
        var entries: [ResponseSequence.Entry] = []
        for answer in answers {
            if let weight = answer.drawingWeight, !(1...1_000_000).contains(weight) {
                throw Stub.Problem(".weight(\(weight)): expected a frequency from 1 to 1000000")
            }
            entries.append(ResponseSequence.Entry(try answer.resolved(), weight: answer.drawingWeight))
        }
        if let first = entries.first { stub.response = first.response }
        if entries.contains(where: { $0.weight != nil }) {
            guard answers.allSatisfy({ $0.count == nil }) else {
                throw Stub.Problem("answers are drawn by weight or counted by times, not both")
            }
            guard answers.allSatisfy({ $0.end == nil && $0.key == nil }) else {
                throw Stub.Problem("answers that are drawn by weight have no order; expected none of .onEnd and .per")
            }
            stub.responses = ResponseSequence(entries, select: .random)
        } else {
            try stub.setSequence(
                entries, counts: answers.map(\.count), end: answers.lazy.compactMap(\.end).last,
                key: answers.lazy.compactMap(\.key).last)
        }
        for change in answers.flatMap(\.changesOfStub) { change(&stub) }
        if let ttl = stub.ttlMilliseconds, ttl < 1 {
            throw Stub.Problem(".ttl of \(ttl) ms: expected a time above 0, such as .seconds(30)")
        }
        self.init(stub)
    }

    /// Makes a stub from a request and its answers; see the initializer with a list of them.
    /// - Throws: the problem of the request's path or of an answer.
    public init(_ request: Request, _ answer: Answer, _ others: Answer...) throws(Stub.Problem) {
        try self.init(request, [answer] + others)
    }
}

extension SDStubModel.StubMapping {
    /// The maximum number of responses of one stub after expansion of counts.
    private static let longestSequence = 10_000

    /// Sets the sequence of responses, each repeated as often as its count says.
    /// - Throws: `Stub.Problem` if the counts add up to more than 10,000 responses, or cannot be kept per value.
    fileprivate mutating func setSequence(
        _ entries: [ResponseSequence.Entry], counts: [Int?], end: ResponseSequence.End?, key: SequenceKey?
    ) throws(Stub.Problem) {
        if key != nil, end == nil, counts.count == 1 || counts.last != .some(nil) {
            throw Stub.Problem(
                ".per keeps several answers for each value, of which the last is repeated; expected another answer, or "
                    + ".onEnd beside .times")
        }
        var turns = counts.map { $0 ?? 1 }
        if end == nil, let last = counts.last {
            // A used-up stub lets others answer; otherwise the last response repeats anyway.
            times = last == nil ? nil : turns.reduce(0, +)
            turns[turns.count - 1] = 1
        }
        guard entries.count > 1 || end != nil else { return }
        guard turns.reduce(0, +) <= Self.longestSequence else {
            throw Stub.Problem("a sequence of more than \(Self.longestSequence) answers")
        }
        responses = ResponseSequence(
            zip(entries, turns).flatMap { Array(repeating: $0, count: $1) }, onEnd: end, per: key)
    }
}

/// Stubs in WireMock's JSON, for `mock.stub(.mapping(json: …))`.
extension Stub {
    /// Parses a WireMock mapping from JSON text; comments and single quotes are allowed.
    /// - Throws: the problem of the text, with line and column, or of the mapping.
    public static func mapping(json text: String) throws(Stub.Problem) -> Stub {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: text, dialect: .lenient)
        } catch {
            throw Stub.Problem("line \(error.line), column \(error.column) of the mapping: \(error)")
        }
        return try mapping(json: JSON(value))
    }

    /// Encodes a value whose JSON is a WireMock mapping, and reads the mapping.
    /// - Throws: the problem of the value or of the mapping.
    public static func mapping(encoding value: some Encodable) throws(Stub.Problem) -> Stub {
        try mapping(json: JSON(try JSONValue(encoding: value)))
    }

    /// Reads a WireMock mapping from a JSON literal.
    /// - Throws: the problem of the mapping.
    public static func mapping(json value: JSON) throws(Stub.Problem) -> Stub {
        do throws(ModelProblems) {
            return Stub(try SDStubModel.StubMapping(json: value.value))
        } catch {
            throw Stub.Problem(error.description)
        }
    }
}

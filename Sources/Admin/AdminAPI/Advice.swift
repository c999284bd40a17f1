import SDHTTPTransport
import SDJSON
import SDLinting
import SDMockEngine
import SDStubModel

/// What is valid in a call and hardly meant. It is told in the log and in a header of the answer, since WireMock's
/// clients refuse members that they do not know; answers of our own calls have it as `warnings`, too.
struct Advice: Sendable {
    /// The most problems that are gathered.
    private static let most = 100
    /// The most that are told, and the most characters of each.
    private static let maxTold = 10
    private static let longest = 400

    private(set) var problems: [ModelProblem] = []

    init(_ warnings: [ModelProblem] = []) {
        add(warnings)
    }

    var isFull: Bool { problems.count >= Self.most }

    /// Adds problems, apart from those at a place of which something was said before.
    mutating func add(_ more: [ModelProblem]) {
        let known = Set(problems.map(\.place))
        for problem in more where !isFull && !known.contains(problem.place) {
            problems.append(problem)
        }
    }

    /// Adds problems of a part of the call's document.
    mutating func add(_ more: [ModelProblem], below root: JSONPointer) {
        add(
            more.map { problem in
                var problem = problem
                problem.place = root.appending(problem.place)
                return problem
            })
    }

    /// The problems, each on one line; of very many the first.
    var texts: [String] {
        var texts = problems.prefix(Self.maxTold).map { Self.line($0.description) }
        if problems.count > texts.count { texts.append("… and \(problems.count - texts.count) more") }
        return texts
    }

    /// The member `warnings` of an answer; nil if there are none.
    private var json: JSONValue? { problems.isEmpty ? nil : .array(texts.map(JSONValue.string)) }

    /// An answer of our own with the warnings, which its text for people has as well.
    func added(to answer: JSONValue) -> JSONValue {
        guard let json, case .object(var object) = answer else { return answer }
        object["warnings"] = json
        if let text = object["text"]?.stringValue {
            object["text"] = .string(text + texts.map { "warning: \($0)\n" }.joined())
        }
        return .object(object)
    }

    /// The header of the answer; empty if there is nothing to say.
    var headers: [(name: String, value: String)] {
        if problems.isEmpty { return [] }
        let value = texts.joined(separator: " | ").unicodeScalars.map { scalar in
            (0x20...0x7E).contains(scalar.value)
                ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
        }
        return [("X-StuntDouble-Warning", value.joined())]
    }

    private static func line(_ text: String) -> String {
        let line = String(text.map { $0.isNewline ? " " : $0 }.prefix(longest))
        return line.count < text.count ? line + "…" : line
    }
}

extension AdminCall {
    /// Reads the body as a part of the dialect, with what is doubtful in it.
    /// - Throws: 422 with all problems.
    func readAdvised<Value>(
        _ make: (JSONValue, inout ModelReader) -> Value
    ) throws(AdminError) -> (value: Value, advice: Advice) {
        try readAdvised(json(), make)
    }

    /// Reads JSON like the body.
    func readAdvised<Value>(
        _ json: JSONValue, _ make: (JSONValue, inout ModelReader) -> Value
    ) throws(AdminError) -> (value: Value, advice: Advice) {
        var reader = ModelReader(warns: true)
        let value = make(json, &reader)
        guard reader.problems.isEmpty else { throw AdminError(422, ErrorDocument(ModelProblems(reader.problems))) }
        return (value, Advice(reader.warnings))
    }

    /// Reads the body as a request pattern.
    /// - Throws: 422 with all problems.
    func readPattern() throws(AdminError) -> (value: RequestPattern, advice: Advice) {
        var (pattern, advice) = try readAdvised(RequestPattern.read)
        advice.add(PatternLint.findings(in: pattern).map(\.problem))
        return (pattern, advice)
    }

    /// Logs the advice.
    /// - Parameter stub: the stub that it is about; nil if it is about the call itself.
    func tell(_ advice: Advice, of stub: StubMapping? = nil) {
        if advice.problems.isEmpty { return }
        session.advise(advice.texts, on: stub.map { .stub($0) } ?? .call(name))
    }

    /// The method and the path, without what may be secret in the query.
    private var name: String {
        String(decoding: request.method, as: UTF8.self) + " " + String(decoding: request.path, as: UTF8.self)
    }
}

import SDHTTPTransport
import SDJSON
import SDLinting
import SDMockEngine
import SDStubModel

/// Warnings about valid but probably unintended parts of a call. They go to the log and a header, since WireMock's
/// clients reject unknown members; our own calls also answer with `warnings`.
struct CallWarnings: Sendable {
    /// The maximum number of problems collected.
    private static let most = 100
    /// At most 10 warnings are reported, each cut to 400 characters.
    private static let maxTold = 10
    private static let longest = 400

    private(set) var problems: [ModelProblem] = []

    init(_ warnings: [ModelProblem] = []) {
        add(warnings)
    }

    var isFull: Bool { problems.count >= Self.most }

    /// Adds problems, except at places that already have one.
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

    /// The warnings, one line each, up to the maximum.
    var texts: [String] {
        var texts = problems.prefix(Self.maxTold).map { Self.line($0.description) }
        if problems.count > texts.count { texts.append("… and \(problems.count - texts.count) more") }
        return texts
    }

    /// The member `warnings` of an answer; nil if there are none.
    private var json: JSONValue? { problems.isEmpty ? nil : .array(texts.map(JSONValue.string)) }

    /// One of our own answers with the warnings added, also to its text for people.
    func added(to answer: JSONValue) -> JSONValue {
        guard let json, case .object(var object) = answer else { return answer }
        object["warnings"] = json
        if let text = object["text"]?.stringValue {
            object["text"] = .string(text + texts.map { "warning: \($0)\n" }.joined())
        }
        return .object(object)
    }

    /// The header of the answer; empty without warnings.
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
    /// Reads the body as a part of the dialect, with warnings.
    /// - Throws: 422 with all problems.
    func readWithWarnings<Value>(
        _ make: (JSONValue, inout ModelReader) -> Value
    ) throws(AdminError) -> (value: Value, warnings: CallWarnings) {
        try readWithWarnings(json(), make)
    }

    /// Reads a JSON value like the body.
    func readWithWarnings<Value>(
        _ json: JSONValue, _ make: (JSONValue, inout ModelReader) -> Value
    ) throws(AdminError) -> (value: Value, warnings: CallWarnings) {
        var reader = ModelReader(warns: true)
        let value = make(json, &reader)
        guard reader.problems.isEmpty else { throw AdminError(422, ErrorDocument(ModelProblems(reader.problems))) }
        return (value, CallWarnings(reader.warnings))
    }

    /// Reads the body as a request pattern.
    /// - Throws: 422 with all problems.
    func readPattern() throws(AdminError) -> (value: RequestPattern, warnings: CallWarnings) {
        var (pattern, warnings) = try readWithWarnings(RequestPattern.read)
        warnings.add(PatternLint.findings(in: pattern).map(\.problem))
        return (pattern, warnings)
    }

    /// Logs the warnings.
    /// - Parameter stub: the stub that they are about; nil for the call itself.
    func log(_ warnings: CallWarnings, of stub: StubMapping? = nil) {
        if warnings.problems.isEmpty { return }
        session.advise(warnings.texts, on: stub.map { .stub($0) } ?? .call(name))
    }

    /// The method and the path, without the query, which may contain secrets.
    private var name: String {
        String(decoding: request.method, as: UTF8.self) + " " + String(decoding: request.path, as: UTF8.self)
    }
}

public import JSON
import StubModel
import Synchronization

/// Something about a stub that is valid and hardly meant: what `stuntdouble validate` says beyond what the reading of the
/// file finds.
public struct StubFinding: Sendable {
    /// The check that found it. Stable: programs may tell findings apart by it.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Another stub is tried first and takes every request that this one would.
        case shadowed = "shadowed-stub"
        /// Another stub of the same priority has the same request pattern and wins.
        case samePattern = "same-pattern"
        /// A `?` in a regular expression stands where a query was meant to begin.
        case unescapedQuestionMark = "unescaped-question-mark"
        /// A path is asked to hold a `?`, which none does.
        case queryInPath = "query-in-path"
        case invalidSchema = "invalid-json-schema"
        /// A part of a JSON Schema does not do what it seems to ask for.
        case schemaProblem = "json-schema-problem"
        case invalidXPath = "invalid-xpath"
        case unreadableDate = "unreadable-date"
        /// A placeholder of `equalToJson` that is compared as plain text, or the like.
        case jsonRemark = "equal-to-json-remark"
        /// Matchers that all have to hold, and cannot.
        case contradiction = "contradiction"
        /// `customMatcher` names one that is not served.
        case unknownCustomMatcher = "unknown-custom-matcher"
        /// `bodyFileName` names a file that cannot be served.
        case missingBodyFile = "missing-body-file"
        /// `:id` in a path, which is a variable elsewhere.
        case colonInPath = "colon-in-path"
        /// A `*` in a path, which stands for anything elsewhere.
        case starInPath = "star-in-path"
        /// A method that is not known and spelt almost as one that is.
        case unknownMethod = "unknown-method"
        /// A method that is known in upper case.
        case methodCase = "method-case"
        /// A path that the daemon answers itself.
        case reservedPath = "reserved-path"
        /// A condition on a variable that the path does not have.
        case unknownPathParameter = "unknown-path-parameter"
        /// A header's name that no header can have.
        case headerName = "header-name"
        /// `{{…}}` in a response that is no template.
        case untemplatedExpression = "untemplated-expression"
        /// A text where JSON is wanted, that holds the JSON.
        case jsonInText = "json-in-text"
        /// A body beside a status that has none.
        case bodyWithoutContent = "body-without-content"
        /// A scenario's state that no stub leads to.
        case unreachableState = "unreachable-state"
        /// A stub that takes every request is tried before the stubs of other files.
        case fallbackHidesFiles = "fallback-hides-files"
    }

    /// Why the other stub is tried first.
    public enum Precedence: Sendable, Hashable {
        /// Its priority, which is a lower number.
        case priority(Int)
        /// Of one priority, it was added later.
        case newer
    }

    public let code: Code
    public let stub: StubReference
    /// In WireMock's form of the stub, such as `/request/bodyPatterns/0`.
    public let pointer: JSONPointer
    /// One sentence without a full stop. Where there is another stub, its name belongs behind it.
    public let message: String
    /// What belongs there, in words.
    public var expected: String?
    /// Whether the member's name is odd and not its value.
    public var isAboutName: Bool
    /// What was probably meant.
    public var suggestion: String?
    /// The stub that answers in this one's place, and why.
    public var other: (stub: StubReference, precedence: Precedence)?

    init(
        _ code: Code, of stub: StubReference, at pointer: JSONPointer, _ message: String, expected: String? = nil,
        isAboutName: Bool = false, suggestion: String? = nil,
        other: (stub: StubReference, precedence: Precedence)? = nil
    ) {
        self.code = code
        self.stub = stub
        self.pointer = pointer
        self.message = message
        self.expected = expected
        self.isAboutName = isAboutName
        self.suggestion = suggestion
        self.other = other
    }
}

extension Session {
    /// What is odd about the stubs: first what lies in each alone, then how they stand to each other, each in the order in
    /// which they are tried. Takes a time in proportion to the number of stubs.
    /// - Parameter bodyFileNames: all names under `__files`, to find the one that a misspelt name means.
    public func findings(bodyFileNames: [String] = []) -> [StubFinding] {
        let stubs = state.withLock { $0.stubs.all }
        var bodies = BodyFileLint(files: files, names: bodyFileNames)
        return stubs.flatMap { own(of: $0) + bodies.findings(in: $0) }
            + ScenarioLint.findings(in: stubs) + ShadowSearch.findings(in: stubs)
    }

    private func own(of stub: CompiledStub) -> [StubFinding] {
        StubLint.findings(in: stub.mapping, compiled: stub.pattern).found(in: stub)
    }
}

extension [StubLint.Found] {
    fileprivate func found(in stub: CompiledStub) -> [StubFinding] {
        if isEmpty { return [] }
        let place = StubReference(stub)
        return map {
            StubFinding(
                $0.code, of: place, at: $0.pointer, $0.message, expected: $0.expected, isAboutName: $0.isAboutName,
                suggestion: $0.suggestion)
        }
    }
}

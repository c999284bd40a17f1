public import SDHTTPMessages
public import SDJSON
public import SDStubModel

/// A finding about a stub that is valid but probably not intended: what `stuntdouble validate` reports beyond problems
/// found while reading the file.
public struct StubFinding: Sendable {
    /// The check that made the finding. Stable, so that programs may rely on it.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Another stub takes precedence and accepts every request that this one would.
        case shadowed = "shadowed-stub"
        /// Another stub of the same priority has the same request pattern and wins.
        case samePattern = "same-pattern"
        /// A `?` in a regular expression that was meant to begin a query.
        case unescapedQuestionMark = "unescaped-question-mark"
        /// A path with a `?`, which no path contains.
        case queryInPath = "query-in-path"
        case invalidSchema = "invalid-json-schema"
        /// A part of a JSON Schema that probably does not do what was intended.
        case schemaProblem = "json-schema-problem"
        case invalidXPath = "invalid-xpath"
        case unreadableDate = "unreadable-date"
        /// A placeholder of `equalToJson` that is compared as plain text, or the like.
        case jsonRemark = "equal-to-json-remark"
        /// Matchers that contradict each other.
        case contradiction = "contradiction"
        /// A `customMatcher` that is not supported.
        case unknownCustomMatcher = "unknown-custom-matcher"
        /// A `bodyFileName` of a file that cannot be served.
        case missingBodyFile = "missing-body-file"
        /// `:id` in a path, which is a variable in other formats.
        case colonInPath = "colon-in-path"
        /// A `*` in a path, which is a wildcard in other formats.
        case starInPath = "star-in-path"
        /// `<id>` in a path, or `{id}` where braces are literal.
        case variableInPath = "variable-in-path"
        /// A part of a regular expression in a literal path.
        case expressionInPath = "expression-in-path"
        /// A variable of a template with an expression, which counts as part of its name.
        case expressionInVariable = "expression-in-variable"
        /// A scheme, host or port that no request has.
        case impossibleOrigin = "impossible-origin"
        /// An unknown method whose spelling is close to a known one.
        case unknownMethod = "unknown-method"
        /// A method whose upper-case spelling is known.
        case methodCase = "method-case"
        /// A path that the daemon answers itself.
        case reservedPath = "reserved-path"
        /// A condition on a variable that the path does not have.
        case unknownPathParameter = "unknown-path-parameter"
        /// A name that no header can have.
        case headerName = "header-name"
        /// A value that no header can have.
        case headerValue = "header-value"
        /// `{{…}}` in a response that is not a template.
        case untemplatedExpression = "untemplated-expression"
        /// An unknown name in a template.
        case unknownTemplateName = "unknown-template-name"
        /// `{{` in a template without a following `}}`.
        case unendedTag = "unended-tag"
        /// A call of a helper in a template that always fails.
        case failingHelper = "failing-helper"
        /// An unknown option of a helper in a template, or an invalid value of one.
        case helperOption = "helper-option"
        /// A comparison in a template that is never true or always fails, or a condition that is not one.
        case templateComparison = "template-comparison"
        /// An expression of another template language, which is sent literally.
        case otherTemplateSyntax = "other-template-syntax"
        /// An unknown transformer.
        case unknownTransformer = "unknown-transformer"
        /// An unknown listener.
        case unknownListener = "unknown-listener"
        /// A webhook that cannot be sent as intended.
        case webhook = "webhook"
        /// A base URL without a scheme or host, to which nothing can be proxied.
        case proxyURL = "proxy-url"
        /// A field that a proxied answer replaces.
        case besideProxy = "beside-proxy"
        /// A proxy field in a response that does not proxy.
        case withoutProxy = "without-proxy"
        /// A feature that needs a library missing on this machine.
        case missingLibrary = "missing-library"
        /// An unknown locale in a template, or one where none is accepted.
        case unknownLocale = "unknown-locale"
        /// A text that contains JSON, where JSON was meant.
        case jsonInText = "json-in-text"
        /// A number that cannot be a response's status, such as 100 or 1000.
        case impossibleStatus = "impossible-status"
        /// A body with a status that has none.
        case bodyWithoutContent = "body-without-content"
        /// A fault that needs the length of an answer whose length is unknown until its end.
        case faultWithoutEffect = "fault-without-effect"
        /// A state of a scenario that no stub sets.
        case unreachableState = "unreachable-state"
        /// A stub that accepts every request and takes precedence over the stubs of other files.
        case fallbackHidesFiles = "fallback-hides-files"
        /// A collection of records that another stub declares differently.
        case conflictingData = "conflicting-data"
        /// A nested collection whose parent no stub serves.
        case missingParent = "missing-parent"
    }

    /// The reason why the other stub takes precedence.
    public enum Precedence: Sendable, Hashable {
        /// Its priority is this lower number.
        case priority(Int)
        /// It has the same priority and was added later.
        case newer
    }

    public let code: Code
    public let stub: StubReference
    /// The pointer in WireMock's format of the stub, such as `/request/bodyPatterns/0`.
    public let pointer: JSONPointer
    /// The message without a full stop. The name of the other stub, if there is one, is appended to it.
    public let message: String
    /// A description of what is valid there.
    public var expected: String?
    /// Whether the finding is about the member's name rather than its value.
    public var isAboutName: Bool
    /// The name or value that was probably meant.
    public var suggestion: String?
    /// The stub that answers instead of this one, and the reason.
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

extension StubFinding {
    /// The findings about stubs: first those about single stubs, then those about pairs, each in order of precedence.
    /// Takes time linear in the number of stubs.
    /// - Parameters:
    ///   - stubs: the stubs in order of precedence.
    ///   - bodyFileNames: all names under `__files`, from which a misspelt name is suggested.
    ///   - states: the states that message stubs set, by scenario name.
    public static func findings(
        in stubs: [any LintedStub], areTemplates: Bool = false, files: any BodyFileSource, bodyFileNames: [String],
        states: [String: Set<String>] = [:]
    ) -> [StubFinding] {
        var bodies = BodyFileLint(files: files, names: bodyFileNames)
        return stubs.flatMap {
            own(of: $0, areTemplates) + bodies.findings(in: $0)
                + BodyFileTemplates.findings(in: $0, areTemplates: areTemplates, files: files)
        }
            + ScenarioLint.findings(in: stubs, besides: states) + ResourceLint.findings(in: stubs)
            + ShadowSearch.findings(in: stubs)
    }

    /// The stubs that never answer, each with the one that takes precedence for all of its requests.
    /// - Parameter stubs: all stubs, in order of precedence.
    public static func hidden(in stubs: [any LintedStub]) -> [StubMapping.ID: StubReference] {
        var hidden: [StubMapping.ID: StubReference] = [:]
        for finding in ShadowSearch.findings(in: stubs) { hidden[finding.stub.id] = finding.other?.stub }
        return hidden
    }

    /// The findings about some stubs that need other stubs, and about the stubs that these shadow.
    /// - Parameters:
    ///   - stubs: all stubs, in order of precedence.
    ///   - goesOn: called before each stub; false ends the search.
    public static func findings(
        about ids: Set<StubMapping.ID>, in stubs: [any LintedStub], areTemplates: Bool, files: any BodyFileSource,
        states: [String: Set<String>] = [:], while goesOn: () -> Bool = { true }
    ) -> [StubFinding] {
        var bodies = BodyFileLint(files: files, names: [])
        let own = stubs.filter { ids.contains($0.reference.id) }.flatMap { stub -> [StubFinding] in
            guard goesOn() else { return [] }
            return bodies.findings(in: stub)
                + BodyFileTemplates.findings(in: stub, areTemplates: areTemplates, files: files)
        }
        guard goesOn() else { return own }
        let between =
            ScenarioLint.findings(in: stubs, besides: states) + ResourceLint.findings(in: stubs)
            + ShadowSearch.findings(in: stubs, while: goesOn)
        return own
            + between.filter { finding in
                ids.contains(finding.stub.id) || finding.other.map { ids.contains($0.stub.id) } == true
            }
    }

    private static func own(of stub: any LintedStub, _ areTemplates: Bool) -> [StubFinding] {
        let found = StubLint.findings(in: stub.mapping, compiled: stub.pattern, isTemplate: areTemplates)
        if found.isEmpty { return [] }
        let reference = stub.reference
        return found.map {
            StubFinding(
                $0.code, of: reference, at: $0.pointer, $0.message, expected: $0.expected, isAboutName: $0.isAboutName,
                suggestion: $0.suggestion)
        }
    }
}

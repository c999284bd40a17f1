public import SDHTTPMessages
public import SDJSON
public import SDStubModel

/// A finding about a stub that is valid but hardly intended: what `stuntdouble validate` reports beyond problems found
/// while reading the file.
public struct StubFinding: Sendable {
    /// The check that made the finding. Stable, so that programs may rely on it.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Another stub is tried first and accepts every request that this one would.
        case shadowed = "shadowed-stub"
        /// Another stub of the same priority has the same request pattern and wins.
        case samePattern = "same-pattern"
        /// A `?` in a regular expression that was meant to begin a query.
        case unescapedQuestionMark = "unescaped-question-mark"
        /// A path with a `?`, which no path contains.
        case queryInPath = "query-in-path"
        case invalidSchema = "invalid-json-schema"
        /// A part of a JSON Schema that does not do what it seems to ask for.
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
        /// A piece of a regular expression in a literal path.
        case expressionInPath = "expression-in-path"
        /// A variable of a template with an expression, which is a part of its name.
        case expressionInVariable = "expression-in-variable"
        /// A scheme, host or port that no request has.
        case impossibleOrigin = "impossible-origin"
        /// An unknown method that is spelt almost like a known one.
        case unknownMethod = "unknown-method"
        /// A method that is only known in upper case.
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
        /// A name in a template that nothing has.
        case unknownTemplateName = "unknown-template-name"
        /// `{{` in a template without a `}}` behind it.
        case unendedTag = "unended-tag"
        /// A call of a helper in a template that fails whatever the request is.
        case failingHelper = "failing-helper"
        /// An option that a helper in a template does not have, or a value of one that means something else.
        case helperOption = "helper-option"
        /// A comparison in a template that never holds or always fails, or a condition that is none.
        case templateComparison = "template-comparison"
        /// An expression of another template language, which is sent as it stands.
        case otherTemplateSyntax = "other-template-syntax"
        /// A transformer that does not exist.
        case unknownTransformer = "unknown-transformer"
        /// A listener that does not exist.
        case unknownListener = "unknown-listener"
        /// A webhook that cannot be sent, or not as it is meant.
        case webhook = "webhook"
        /// A base URL without a scheme or host, to which nothing can be sent on.
        case proxyURL = "proxy-url"
        /// What another server's answer takes the place of.
        case besideProxy = "beside-proxy"
        /// A field about requests that are sent on, in a response that sends none on.
        case withoutProxy = "without-proxy"
        /// What needs a library that this machine does not have.
        case missingLibrary = "missing-library"
        /// A locale in a template that does not exist, or where none is taken.
        case unknownLocale = "unknown-locale"
        /// A text in place of JSON that contains JSON.
        case jsonInText = "json-in-text"
        /// A status that cannot be that of a response, such as 100 or 1000.
        case impossibleStatus = "impossible-status"
        /// A body beside a status that has none.
        case bodyWithoutContent = "body-without-content"
        /// A fault that needs the length of an answer that has none before its end.
        case faultWithoutEffect = "fault-without-effect"
        /// A state of a scenario to which no stub leads.
        case unreachableState = "unreachable-state"
        /// A stub that accepts every request and is tried before the stubs of other files.
        case fallbackHidesFiles = "fallback-hides-files"
        /// A collection of records that another stub declares otherwise.
        case conflictingData = "conflicting-data"
        /// A nested collection whose parent no stub serves.
        case missingParent = "missing-parent"
    }

    /// The reason why the other stub is tried first.
    public enum Precedence: Sendable, Hashable {
        /// Its priority is this lower number.
        case priority(Int)
        /// It has the same priority and was added later.
        case newer
    }

    public let code: Code
    public let stub: StubReference
    /// The path in WireMock's form of the stub, such as `/request/bodyPatterns/0`.
    public let pointer: JSONPointer
    /// The message, a sentence without a full stop. The name of the other stub, if there is one, is appended to it.
    public let message: String
    /// A description of what is valid there.
    public var expected: String?
    /// Whether the finding is about the member's name rather than its value.
    public var isAboutName: Bool
    /// The name or value that was probably meant.
    public var suggestion: String?
    /// The stub that answers in place of this one, and the reason.
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
    /// The findings about stubs: first those about single stubs, then those about pairs, each in the order in which
    /// the stubs are tried. The time is proportional to the number of stubs.
    /// - Parameters:
    ///   - stubs: the stubs in the order in which they are tried.
    ///   - bodyFileNames: all names under `__files`, for suggesting the one that a misspelt name means.
    public static func findings(
        in stubs: [any LintedStub], areTemplates: Bool = false, files: any BodyFileSource, bodyFileNames: [String]
    ) -> [StubFinding] {
        var bodies = BodyFileLint(files: files, names: bodyFileNames)
        return stubs.flatMap {
            own(of: $0, areTemplates) + bodies.findings(in: $0)
                + BodyFileTemplates.findings(in: $0, areTemplates: areTemplates, files: files)
        }
            + ScenarioLint.findings(in: stubs) + ResourceLint.findings(in: stubs) + ShadowSearch.findings(in: stubs)
    }

    /// The stubs that never answer, each with the one that is tried first and takes all of its requests.
    /// - Parameter stubs: all stubs, in the order in which they are tried.
    public static func hidden(in stubs: [any LintedStub]) -> [StubMapping.ID: StubReference] {
        var hidden: [StubMapping.ID: StubReference] = [:]
        for finding in ShadowSearch.findings(in: stubs) { hidden[finding.stub.id] = finding.other?.stub }
        return hidden
    }

    /// The findings about some of the stubs that a look at each by itself does not make, and about the stubs that these
    /// keep from answering.
    /// - Parameters:
    ///   - stubs: all stubs, in the order in which they are tried.
    ///   - goesOn: is asked before each stub is looked at; once it says no, nothing more is found.
    public static func findings(
        about ids: Set<StubMapping.ID>, in stubs: [any LintedStub], areTemplates: Bool, files: any BodyFileSource,
        while goesOn: () -> Bool = { true }
    ) -> [StubFinding] {
        var bodies = BodyFileLint(files: files, names: [])
        let own = stubs.filter { ids.contains($0.reference.id) }.flatMap { stub -> [StubFinding] in
            guard goesOn() else { return [] }
            return bodies.findings(in: stub)
                + BodyFileTemplates.findings(in: stub, areTemplates: areTemplates, files: files)
        }
        guard goesOn() else { return own }
        let between =
            ScenarioLint.findings(in: stubs) + ResourceLint.findings(in: stubs)
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

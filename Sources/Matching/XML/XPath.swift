import SDBasics
public import SDPlatform

/// The result of an XPath expression.
public enum XPathResult: Sendable, Hashable {
    /// The nodes in document order, each as WireMock converts it to text: an element or the document as indented XML
    /// with a final line end and without a declaration, text and attributes as their content, a comment as "[#comment:
    /// …]", a processing instruction as "[target: data]".
    case nodes([String])
    /// A number as Java's `NumberFormat` prints it ("1,234.568", "∞", "NaN"), a string, or "true" or "false".
    case value(String)
    /// Why the expression was not evaluated: it is invalid, has an unknown prefix or function, or needs too many steps.
    case failed(String)
}

/// An XPath 1.0 expression with its declared prefixes.
public struct XPath: Sendable {
    /// The expression as written.
    public let expression: String
    /// `xPathNamespaces`; nil if there are none: then documents are parsed without namespaces.
    public let namespaces: [(prefix: String, uri: String)]?

    private let mayMeetNodesTwice: Bool
    private let mayMeetAllNodesTwice: Bool
    private let comparesSets: Bool

    public init(_ expression: String, namespaces: [(prefix: String, uri: String)]?) {
        self.expression = expression
        self.namespaces = namespaces.flatMap { $0.isEmpty ? nil : $0 }
        mayMeetNodesTwice = Self.mayMeetNodesTwice(expression)
        mayMeetAllNodesTwice = expression.contains(text: "following::") || expression.contains(text: "preceding::")
        comparesSets = XPathComparisons(expression).comparesSets
    }

    /// Whether documents must be parsed with namespaces.
    public var isNamespaceAware: Bool { namespaces != nil }

    /// Why the expression can never be evaluated; nil if it can. Unknown prefixes and functions are found only by
    /// evaluating. WireMock accepts such an expression, and it never matches.
    public var problem: String? {
        expression.utf8.contains(0)
            ? "an expression cannot contain NUL" : LibXML2Document.problem(inExpression: expression)
    }

    public func evaluate(_ document: XMLDocument, _ budget: WorkBudget = WorkBudget()) -> XPathResult {
        switch evaluation(document, readsNodes: true, budget) {
        case .nodes(let nodes):
            .nodes(nodes.map { budget.isSpent ? "" : $0.wireMockText })
        case .boolean(let value): .value(value ? "true" : "false")
        case .number(let value): .value(JavaNumber.text(value))
        case .string(let value): .value(value)
        case .failed(let reason): .failed(reason)
        }
    }

    /// The simple form of `matchesXPath`: a node set must contain a node; any other value matches, even `false`.
    public func matches(_ document: XMLDocument) -> Bool { conclusion(document) == .match }

    /// The result of `matches`, with the reason if the expression was not evaluated.
    public func conclusion(_ document: XMLDocument, _ budget: WorkBudget = WorkBudget()) -> Conclusion {
        switch evaluation(document, readsNodes: false, budget) {
        case .nodes(let nodes): nodes.isEmpty ? .noMatch : .match
        case .boolean, .number, .string: .match
        case .failed(let reason): .failed(reason)
        }
    }

    public enum Conclusion: Sendable, Hashable {
        case match
        case noMatch
        case failed(String)
    }

    /// Whether a step may reach a node in several ways. libxml2 then compares each found node with all found before,
    /// which its count of steps does not include.
    private static func mayMeetNodesTwice(_ expression: String) -> Bool {
        let bytes = Array(expression.utf8)
        func count(_ word: String) -> Int {
            let word = Array(word.utf8)
            return bytes.indices.count { bytes[$0...].starts(with: word) }
        }
        return ["following", "preceding", "ancestor", "parent", ".."].contains { count($0) > 0 }
            || count("//") + count("descendant") > 1 || count("|") > 0
    }

    func evaluation(
        _ document: XMLDocument, readsNodes: Bool, _ budget: WorkBudget
    ) -> LibXML2Document.Evaluation {
        guard !expression.utf8.contains(0) else { return .failed("an expression cannot contain NUL") }
        if comparesSets {
            // libxml2 compares each node of one set with each of the other, without interruption.
            let pairs = document.nodeCount.multipliedReportingOverflow(by: document.nodeCount)
            let work = WorkBudget.Work("XPath", expression)
            guard budget.tryReserve(pairs.overflow ? .max : pairs.partialValue, for: work) else {
                return .failed("its budget of work is spent")
            }
        }
        return document.library.evaluate(
            expression, namespaces ?? [], growth(budget), readsNodes: readsNodes, budget)
    }

    /// How an evaluation's time grows with its steps.
    private func growth(_ budget: WorkBudget) -> LibXML2Document.Growth {
        guard mayMeetNodesTwice else { return .linear }
        return mayMeetAllNodesTwice || budget.limit < Self.patience ? .quadratic : .mostlyLinear
    }

    /// The budget, in nanoseconds, of a request that is matched off the loop, where an evaluation may take longer than
    /// its steps suggest.
    private static let patience: UInt64 = 100_000_000
}

extension LibXML2Document.Node {
    /// The text of `toString` of WireMock's node.
    var wireMockText: String {
        switch self {
        case .tree(let tree): String(decoding: XMLPrinter.print(tree, .element), as: UTF8.self)
        case .text(let text), .cdata(let text), .attribute(_, let text): text
        case .comment(let text): "[#comment: \(text)]"
        case .instruction(let target, let data): "[\(target): \(data)]"
        }
    }
}

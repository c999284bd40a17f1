public import SDPlatform

/// A kind of comparison made by `equalToXml`, by XMLUnit's name. WireMock accepts all of XMLUnit's names as exempted;
/// those missing here are never counted, so that exempting them changes nothing.
public enum XMLComparison: String, Sendable, Hashable, CaseIterable {
    case elementTagName = "ELEMENT_TAG_NAME"
    case schemaLocation = "SCHEMA_LOCATION"
    case noNamespaceSchemaLocation = "NO_NAMESPACE_SCHEMA_LOCATION"
    case nodeType = "NODE_TYPE"
    case namespaceURI = "NAMESPACE_URI"
    case textValue = "TEXT_VALUE"
    case processingInstructionTarget = "PROCESSING_INSTRUCTION_TARGET"
    case processingInstructionData = "PROCESSING_INSTRUCTION_DATA"
    case elementAttributeCount = "ELEMENT_NUM_ATTRIBUTES"
    case attributeValue = "ATTR_VALUE"
    case childCount = "CHILD_NODELIST_LENGTH"
    case childLookup = "CHILD_LOOKUP"
    case attributeLookup = "ATTR_NAME_LOOKUP"
    case xmlVersion = "XML_VERSION"
    case xmlStandalone = "XML_STANDALONE"
    case xmlEncoding = "XML_ENCODING"
    case hasDoctype = "HAS_DOCTYPE_DECLARATION"
    case doctypeName = "DOCTYPE_NAME"
    case doctypePublicID = "DOCTYPE_PUBLIC_ID"
    case doctypeSystemID = "DOCTYPE_SYSTEM_ID"
    case attributeIsExplicit = "ATTR_VALUE_EXPLICITLY_SPECIFIED"
    case namespacePrefix = "NAMESPACE_PREFIX"
    case childSequence = "CHILD_NODELIST_SEQUENCE"
}

/// `equalToXml`: an expected document, read once and compared with actual ones.
///
/// Ignored are white space around texts and attribute values, comments, the order of attributes, prefixes, and the
/// order of children with different names. CDATA is text. An element without a namespace in the expected document
/// equals one with any.
public struct XMLEquality: Sendable {
    public enum NamespaceAwareness: String, Sendable, Hashable, CaseIterable {
        /// Prefixes must be declared; namespaces are compared, prefixes are not. WireMock's default.
        case strict = "STRICT"
        /// Prefixes need no declaration. Elements are compared by local name and default namespace, attributes as
        /// written.
        case legacy = "LEGACY"
        /// Names are compared as written, and namespace declarations as attributes.
        case none = "NONE"
    }

    public struct Options: Sendable, Hashable {
        /// Whether `${xmlunit.…}` has a meaning in expected texts and attribute values.
        public var enablePlaceholders = false
        /// A regular expression; nil for `\$\{`.
        public var placeholderOpeningDelimiterRegex: String?
        /// A regular expression; nil for `}`.
        public var placeholderClosingDelimiterRegex: String?
        public var exemptedComparisons: Set<XMLComparison> = []
        /// Whether children with the same name are sorted by text before they are compared.
        public var ignoreOrderOfSameNode = false
        public var namespaceAwareness = NamespaceAwareness.strict

        public init() {}
    }

    public let options: Options
    private let expected: XMLTree
    private let placeholders: XMLPlaceholders?

    /// Reads the expected document.
    /// - Throws: if the text is not XML.
    public init(expected: String, options: Options) throws(XMLProblem) {
        self.options = options
        let document = try XMLDocument(
            parsing: Array(expected.utf8)[...], namespaceAware: options.namespaceAwareness == .strict, .unlimited)
        self.expected = document.tree(options.namespaceAwareness.reading, .unlimited)
        placeholders = options.enablePlaceholders ? XMLPlaceholders(in: self.expected, options) : nil
    }

    /// Whether documents for `matches` and `distance` must be parsed with namespaces.
    public var isNamespaceAware: Bool { options.namespaceAwareness == .strict }

    /// Whether a text equals the expected document. A text that is not XML never does.
    public func matches(_ actual: ArraySlice<UInt8>, _ budget: WorkBudget = WorkBudget()) -> Bool {
        guard let document = try? XMLDocument(parsing: actual, namespaceAware: isNamespaceAware, budget) else {
            return false
        }
        return matches(document, budget)
    }

    /// Whether a document, parsed as `isNamespaceAware` says, equals the expected one.
    public func matches(_ actual: XMLDocument, _ budget: WorkBudget = WorkBudget()) -> Bool {
        let tree = actual.tree(options.namespaceAwareness.reading, budget)
        var comparer = XMLComparer(expected, tree, options, placeholders, .match, budget)
        return comparer.run() == 0 && !budget.isSpent
    }

    /// The differences, one sentence each with an XPath, up to a limit. Empty exactly if `matches` is true.
    public func differences(_ actual: XMLDocument, _ budget: WorkBudget = WorkBudget()) -> [String] {
        let tree = actual.tree(options.namespaceAwareness.reading, budget)
        var comparer = XMLComparer(expected, tree, options, placeholders, .description, budget)
        let count = comparer.run()
        if count > 0, comparer.descriptions.isEmpty { return ["/: expected a document"] }
        return comparer.descriptions + (count > XMLComparer.maxDescribed ? ["and more"] : [])
    }

    /// The distance from 0 to 1: the share of comparisons that differ, with children in their original order. 1 if the
    /// text is not XML. This is WireMock's rank of near misses, so it is not always 0 for a match.
    public func distance(_ actual: ArraySlice<UInt8>, _ budget: WorkBudget = WorkBudget()) -> Double {
        guard let document = try? XMLDocument(parsing: actual, namespaceAware: isNamespaceAware, budget) else {
            return 1
        }
        return distance(document, budget)
    }

    /// The distance of a document, parsed as `isNamespaceAware` says.
    public func distance(_ actual: XMLDocument, _ budget: WorkBudget = WorkBudget()) -> Double {
        let tree = actual.tree(options.namespaceAwareness.reading, budget)
        var comparer = XMLComparer(expected, tree, options, placeholders, .distance, budget)
        let differences = comparer.run()
        return comparer.comparisons == 0 ? 0 : Double(differences) / Double(comparer.comparisons)
    }
}

extension XMLEquality.NamespaceAwareness {
    var reading: XMLReading {
        switch self {
        case .strict: .strict
        case .legacy: .legacy
        case .none: .none
        }
    }
}

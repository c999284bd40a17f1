/// One kind of comparison that `equalToXml` does, by XMLUnit's name. WireMock takes all names of XMLUnit as exempted; those
/// not listed here are never counted, so that exempting them changes nothing.
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

/// `equalToXml`: an expected document, read once, against which actual ones are held.
///
/// White space at the ends of texts and attribute values, comments, the order of attributes, prefixes, and the order of
/// children with different names do not count. CDATA is text. What the expected document does not say is not looked at: an
/// element without a namespace equals one with any.
public struct XMLEquality: Sendable {
    public enum NamespaceAwareness: String, Sendable, Hashable, CaseIterable {
        /// Prefixes have to be declared; namespaces are compared, prefixes are not. WireMock's way when nothing is said.
        case strict = "STRICT"
        /// Prefixes need no declaration. Elements are compared by local name and default namespace, attributes as written.
        case legacy = "LEGACY"
        /// Names are compared as written, and declarations of namespaces as attributes.
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
        /// Whether children with the same name are compared in the order of their texts.
        public var ignoreOrderOfSameNode = false
        public var namespaceAwareness = NamespaceAwareness.strict

        public init() {}
    }

    public let options: Options
    private let expected: XMLTree
    private let placeholders: XMLPlaceholders?

    /// Throws where the expected text is no XML.
    public init(expected: String, options: Options) throws(XMLProblem) {
        self.options = options
        let document = try XMLDocument(
            parsing: Array(expected.utf8)[...], namespaceAware: options.namespaceAwareness == .strict)
        self.expected = document.tree(options.namespaceAwareness.reading)
        placeholders = options.enablePlaceholders ? XMLPlaceholders(in: self.expected, options) : nil
    }

    /// Whether documents for `matches` and `distance` have to be parsed with namespaces.
    public var isNamespaceAware: Bool { options.namespaceAwareness == .strict }

    /// Whether the texts equal. A text that is no XML equals nothing.
    public func matches(_ actual: ArraySlice<UInt8>) -> Bool {
        guard let document = try? XMLDocument(parsing: actual, namespaceAware: isNamespaceAware) else { return false }
        return matches(document)
    }

    /// The same for a document parsed as `isNamespaceAware` says.
    public func matches(_ actual: XMLDocument) -> Bool {
        let tree = actual.tree(options.namespaceAwareness.reading)
        var comparer = XMLComparer(expected, tree, options, placeholders, .match)
        return comparer.run() == 0
    }

    /// What differs, one sentence each with its place as XPath, up to a bound; none exactly where `matches` holds.
    public func differences(_ actual: XMLDocument) -> [String] {
        let tree = actual.tree(options.namespaceAwareness.reading)
        var comparer = XMLComparer(expected, tree, options, placeholders, .description)
        let count = comparer.run()
        if count > 0, comparer.descriptions.isEmpty { return ["/: expected a document"] }
        return comparer.descriptions + (count > XMLComparer.mostDescribed ? ["and more"] : [])
    }

    /// How far the texts are apart, from 0 to 1: the part of the comparisons that differ, children taken in the order in which
    /// they stand. 1 where the text is no XML. As WireMock ranks near misses, so that it is not always 0 for a match.
    public func distance(_ actual: ArraySlice<UInt8>) -> Double {
        guard let document = try? XMLDocument(parsing: actual, namespaceAware: isNamespaceAware) else { return 1 }
        return distance(document)
    }

    /// The same for a document parsed as `isNamespaceAware` says.
    public func distance(_ actual: XMLDocument) -> Double {
        let tree = actual.tree(options.namespaceAwareness.reading)
        var comparer = XMLComparer(expected, tree, options, placeholders, .distance)
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

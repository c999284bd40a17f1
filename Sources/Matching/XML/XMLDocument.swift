private import Synchronization

/// A parsed XML document. It is immutable, and any thread may use it; evaluations of XPath run one at a time.
///
/// Nothing is fetched: external entities are empty, external DTDs are ignored. Entities that the document itself
/// declares are replaced within libxml2's limits on depth (256 elements) and growth (ten times the text).
public final class XMLDocument: Sendable {
    let library: LibXML2Document
    /// The trees made so far, by reading.
    private let trees = Mutex<[XMLTree?]>([nil, nil, nil, nil])

    /// Parses UTF-8, whatever encoding the document declares, because WireMock reads bodies as text, too.
    /// - Parameter namespaceAware: whether prefixes denote namespaces and must be declared. Otherwise a prefix is a
    ///   part of the name that XPath ignores.
    /// - Throws: if the text is not XML, or libxml2 is missing.
    public init(parsing bytes: ArraySlice<UInt8>, namespaceAware: Bool) throws(XMLProblem) {
        library = try LibXML2Document(bytes, namespaceAware: namespaceAware)
    }

    /// The reason why XML cannot be parsed on this machine; nil if it can. The first call loads libxml2.
    public static var unavailable: String? { LibXML2Document.unavailable }

    func tree(_ reading: XMLReading) -> XMLTree {
        trees.withLock { trees in
            if let tree = trees[reading.rawValue] { return tree }
            let tree = library.tree(reading)
            trees[reading.rawValue] = tree
            return tree
        }
    }
}

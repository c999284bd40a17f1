private import Synchronization

/// A parsed XML document. It never changes, and any thread may use it: evaluations of XPath take turns.
///
/// Nothing is fetched: external entities are empty, external DTDs are not read. Entities that the document itself declares are
/// replaced, within libxml2's limits on depth (256 elements) and growth (ten times the text).
public final class XMLDocument: Sendable {
    let library: LibXML2Document
    /// Trees that were asked for, by reading.
    private let trees = Mutex<[XMLTree?]>([nil, nil, nil, nil])

    /// Reads UTF-8, whatever encoding the document declares: WireMock reads bodies as text, too.
    /// - Parameter namespaceAware: whether prefixes stand for namespaces and have to be declared. Otherwise they are a
    ///   part of the name that XPath does not see.
    public init(parsing bytes: ArraySlice<UInt8>, namespaceAware: Bool) throws(XMLProblem) {
        library = try LibXML2Document(bytes, namespaceAware: namespaceAware)
    }

    /// Why no XML can be read on this machine; nil where it can. Loads libxml2 at the first call.
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

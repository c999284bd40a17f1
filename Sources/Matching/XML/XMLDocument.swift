public import SDPlatform
private import Synchronization

/// A parsed XML document. Immutable and usable on any thread; evaluations of XPath run one at a time.
///
/// Nothing is fetched: external entities are empty, external DTDs are ignored. Entities that the document itself
/// declares are replaced within libxml2's limits on depth (256 elements) and growth (ten times the text), and within
/// the budget.
public final class XMLDocument: Sendable {
    let library: LibXML2Document
    /// The number of tags and attributes.
    let nodeCount: Int
    /// The trees made so far, by reading.
    private let trees = Mutex<[XMLTree?]>([nil, nil, nil, nil])

    /// Parses UTF-8, whatever encoding the document declares, because WireMock also parses bodies as text.
    /// - Parameter namespaceAware: whether prefixes denote namespaces and must be declared. If not, a prefix is a part
    ///   of the name that XPath ignores.
    /// - Throws: if the text is not XML, libxml2 is missing, or the budget does not suffice for it.
    public init(
        parsing bytes: ArraySlice<UInt8>, namespaceAware: Bool, _ budget: WorkBudget = WorkBudget()
    ) throws(XMLProblem) {
        let sketch = XMLParseCost(bytes, budget)
        guard sketch.fits(budget) else {
            throw XMLProblem(line: 0, column: 0, message: "the document is too large for its budget of work")
        }
        nodeCount = sketch.tags + sketch.attributes
        library = try LibXML2Document(bytes, namespaceAware: namespaceAware, budget)
    }

    /// Why XML cannot be parsed on this machine; nil if it can. The first call loads libxml2.
    public static var unavailable: String? { LibXML2Document.unavailable }

    /// The tree, cut short once the budget is exhausted.
    func tree(_ reading: XMLReading, _ budget: WorkBudget) -> XMLTree {
        trees.withLock { trees in
            if let tree = trees[reading.rawValue] { return tree }
            let tree = library.tree(reading, budget)
            if !budget.isSpent { trees[reading.rawValue] = tree }
            return tree
        }
    }
}

/// A document, or an element of it, as plain values: nodes in document order, linked by index.
///
/// All text is in one array in document order, so the text of any element is one range of it.
struct XMLTree: Sendable {
    enum Kind: UInt8, Sendable {
        case text
        case cdata
        case comment
        case instruction
        case element
        case document
    }

    /// A name. The meaning of `local`, and whether there is a namespace, depend on the reading.
    struct Name: Hashable, Sendable {
        var prefix: [UInt8] = []
        var local: [UInt8]
        var uri: [UInt8]?

        /// The name as written, with its prefix.
        var qualified: [UInt8] { prefix.isEmpty ? local : prefix + [UInt8(ascii: ":")] + local }
    }

    struct Node: Sendable {
        var kind: Kind
        var name = none
        var parent = none
        var firstChild = none
        var nextSibling = none
        var childCount = 0
        var attributes = 0..<0
        /// The node's range: in `text` for text, CDATA, elements and the document, otherwise in `other`.
        var content = 0..<0
    }

    struct Attribute: Sendable {
        var name: Int32
        var value: [UInt8]
    }

    struct Declaration: Sendable {
        var element: Int32
        /// The prefix; empty for the default namespace.
        var prefix: [UInt8]
        var uri: [UInt8]
    }

    static let none: Int32 = -1

    var nodes: [Node] = []
    var names: [Name] = []
    var attributes: [Attribute] = []
    /// The namespace declarations in the order of their elements; empty if the tree is for comparing.
    var declarations: [Declaration] = []
    var text: [UInt8] = []
    var other: [UInt8] = []

    subscript(_ index: Int32) -> Node { nodes[Int(index)] }

    func name(_ index: Int32) -> Name? {
        let name = self[index].name
        return name == Self.none ? nil : names[Int(name)]
    }

    func content(_ index: Int32) -> ArraySlice<UInt8> {
        let node = self[index]
        switch node.kind {
        case .comment, .instruction: return other[node.content]
        default: return text[node.content]
        }
    }

    func attributes(of index: Int32) -> ArraySlice<Attribute> { attributes[self[index].attributes] }

    func children(of index: Int32) -> [Int32] {
        var result: [Int32] = []
        result.reserveCapacity(self[index].childCount)
        var child = self[index].firstChild
        while child != Self.none {
            result.append(child)
            child = self[child].nextSibling
        }
        return result
    }
}

extension UInt8 {
    /// Whether Java's `String.trim` removes the byte.
    var isTrimmed: Bool { self <= 0x20 }
    /// Whether the byte is white space in XML.
    var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}

extension Collection where Element == UInt8 {
    func trimmed() -> SubSequence {
        guard let start = firstIndex(where: { !$0.isTrimmed }) else { return self[endIndex...] }
        var end = start
        var index = start
        while index != endIndex {
            if !self[index].isTrimmed { end = index }
            formIndex(after: &index)
        }
        return self[start...end]
    }
}

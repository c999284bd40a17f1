/// A document, or one element of it, as plain values: nodes in document order, linked by their indices.
///
/// Text lies in one array in document order, so that the text within any element is one range of it.
struct XMLTree: Sendable {
    enum Kind: UInt8, Sendable {
        case text
        case cdata
        case comment
        case instruction
        case element
        case document
    }

    /// A name. What `local` holds, and whether there is a namespace, depends on how the tree was read.
    struct Name: Hashable, Sendable {
        var prefix: [UInt8] = []
        var local: [UInt8]
        var uri: [UInt8]?

        /// As written: with the prefix.
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
        /// Of `text` for text, CDATA, elements and the document, else of `other`.
        var content = 0..<0
    }

    struct Attribute: Sendable {
        var name: Int32
        var value: [UInt8]
    }

    struct Declaration: Sendable {
        var element: Int32
        /// Empty for the default namespace.
        var prefix: [UInt8]
        var uri: [UInt8]
    }

    static let none: Int32 = -1

    var nodes: [Node] = []
    var names: [Name] = []
    var attributes: [Attribute] = []
    /// In the order of their elements; empty where the tree is for comparing.
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
    /// What `String.trim` of Java takes away.
    var isTrimmed: Bool { self <= 0x20 }
    /// White space of XML.
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

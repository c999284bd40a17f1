/// How a tree is read from a document.
enum XMLReading: Int, Sendable {
    /// Unchanged, for printing.
    case printing
    /// For `equalToXml`: no comments or blank text, adjacent text joined and trimmed, CDATA as text. Names by local
    /// part and namespace.
    case strict
    /// Like `strict`, but names by local part with only the default namespace, and attributes as written.
    case legacy
    /// Like `strict`, but names as written, and namespace declarations as attributes.
    case none
}

/// Builds a tree from the events of a walk in document order.
struct XMLTreeBuilder {
    private(set) var tree = XMLTree()
    private let reading: XMLReading
    private var open: [Open] = []
    private var pending: [UInt8] = []
    /// The prefixes in scope with their namespaces, innermost last; for `strict` only.
    private var namespaces: [(prefix: [UInt8], uri: [UInt8])] = []
    private var nameIndices: [XMLTree.Name: Int32] = [:]

    /// A node whose children are being read.
    private struct Open {
        let index: Int32
        var lastChild = XMLTree.none
        /// The default namespace in scope.
        var defaultNamespace: [UInt8]?
        /// The number of `namespaces` before this node.
        var namespaceCount = 0
    }

    /// The contents of an element's start tag.
    struct Start {
        var prefix: [UInt8] = []
        var local: [UInt8] = []
        var uri: [UInt8]?
        var attributes: [(prefix: [UInt8], local: [UInt8], uri: [UInt8]?, value: [UInt8])] = []
        var declarations: [(prefix: [UInt8], uri: [UInt8])] = []
    }

    init(_ reading: XMLReading) {
        self.reading = reading
    }

    private var isForPrinting: Bool { reading == .printing }

    mutating func openDocument() {
        open.append(Open(index: append(XMLTree.Node(kind: .document))))
    }

    mutating func openElement(_ start: Start) {
        flush()
        var scope = open.last?.defaultNamespace
        for declaration in start.declarations where declaration.prefix.isEmpty {
            scope = declaration.uri.isEmpty ? nil : declaration.uri
        }
        let namespaceCount = namespaces.count
        if reading == .strict { namespaces.append(contentsOf: start.declarations) }
        var node = XMLTree.Node(kind: .element)
        node.name = intern(elementName(start, scope))
        let first = tree.attributes.count
        if reading == .none {
            for declaration in start.declarations {
                let name = declaration.prefix.isEmpty ? "xmlns".utf8Bytes : "xmlns:".utf8Bytes + declaration.prefix
                appendAttribute(XMLTree.Name(local: name), declaration.uri)
            }
        }
        for attribute in start.attributes {
            let name = attributeName(attribute.prefix, attribute.local, attribute.uri)
            appendAttribute(name, name == XMLAttributes.typeName ? resolved(attribute.value) : attribute.value)
        }
        node.attributes = first..<tree.attributes.count
        let index = append(node)
        if isForPrinting {
            for declaration in start.declarations {
                tree.declarations.append(
                    XMLTree.Declaration(element: index, prefix: declaration.prefix, uri: declaration.uri))
            }
        }
        open.append(Open(index: index, defaultNamespace: scope, namespaceCount: namespaceCount))
    }

    /// The value of an `xsi:type` with its prefix replaced by the namespace; unchanged if the prefix is unknown.
    private func resolved(_ value: [UInt8]) -> [UInt8] {
        guard reading == .strict else { return value }
        let parts = value.trimmed().split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, let uri = namespaces.last(where: { parts[0].elementsEqual($0.prefix) })?.uri else {
            return value
        }
        return [UInt8(ascii: "{")] + uri + [UInt8(ascii: "}")] + parts[1]
    }

    mutating func close() {
        flush()
        guard let closed = open.popLast() else { return }
        let start = tree.nodes[Int(closed.index)].content.lowerBound
        tree.nodes[Int(closed.index)].content = start..<tree.text.count
        namespaces.removeLast(namespaces.count - closed.namespaceCount)
    }

    mutating func text(_ bytes: [UInt8], isCDATA: Bool) {
        guard isForPrinting else {
            pending.append(contentsOf: bytes)
            return
        }
        let start = tree.text.count
        tree.text.append(contentsOf: bytes)
        var node = XMLTree.Node(kind: isCDATA ? .cdata : .text)
        node.content = start..<tree.text.count
        append(node, startingAt: start)
    }

    mutating func comment(_ bytes: [UInt8]) {
        guard isForPrinting else { return }
        appendOther(.comment, nil, bytes)
    }

    mutating func instruction(_ target: [UInt8], _ data: [UInt8]) {
        flush()
        appendOther(.instruction, XMLTree.Name(local: target), isForPrinting ? data : Array(data.trimmed()))
    }

    private mutating func appendOther(_ kind: XMLTree.Kind, _ name: XMLTree.Name?, _ bytes: [UInt8]) {
        let start = tree.other.count
        tree.other.append(contentsOf: bytes)
        var node = XMLTree.Node(kind: kind)
        if let name { node.name = intern(name) }
        node.content = start..<tree.other.count
        append(node, startingAt: start)
    }

    /// Ends a run of text.
    private mutating func flush() {
        guard !pending.isEmpty else { return }
        let trimmed = pending.trimmed()
        if !trimmed.isEmpty {
            let start = tree.text.count
            tree.text.append(contentsOf: trimmed)
            var node = XMLTree.Node(kind: .text)
            node.content = start..<tree.text.count
            append(node, startingAt: start)
        }
        pending.removeAll(keepingCapacity: true)
    }

    private func elementName(_ start: Start, _ scope: [UInt8]?) -> XMLTree.Name {
        switch reading {
        case .printing: XMLTree.Name(prefix: start.prefix, local: start.local, uri: start.uri)
        case .strict: XMLTree.Name(local: start.local, uri: start.uri)
        case .legacy: XMLTree.Name(local: start.local, uri: start.prefix.isEmpty ? scope : nil)
        case .none: XMLTree.Name(local: XMLTree.Name(prefix: start.prefix, local: start.local).qualified)
        }
    }

    private func attributeName(_ prefix: [UInt8], _ local: [UInt8], _ uri: [UInt8]?) -> XMLTree.Name {
        switch reading {
        case .printing: XMLTree.Name(prefix: prefix, local: local, uri: uri)
        case .strict: XMLTree.Name(local: local, uri: uri)
        case .legacy, .none: XMLTree.Name(local: XMLTree.Name(prefix: prefix, local: local).qualified)
        }
    }

    private mutating func appendAttribute(_ name: XMLTree.Name, _ value: [UInt8]) {
        let value = isForPrinting ? value : Array(value.trimmed())
        tree.attributes.append(XMLTree.Attribute(name: intern(name), value: value))
    }

    private mutating func intern(_ name: XMLTree.Name) -> Int32 {
        if let index = nameIndices[name] { return index }
        let index = Int32(truncatingIfNeeded: tree.names.count)
        tree.names.append(name)
        nameIndices[name] = index
        return index
    }

    @discardableResult
    private mutating func append(_ new: XMLTree.Node, startingAt start: Int? = nil) -> Int32 {
        var node = new
        let index = Int32(truncatingIfNeeded: tree.nodes.count)
        if start == nil { node.content = tree.text.count..<tree.text.count }
        if let parent = open.indices.last {
            node.parent = open[parent].index
            if open[parent].lastChild == XMLTree.none {
                tree.nodes[Int(node.parent)].firstChild = index
            } else {
                tree.nodes[Int(open[parent].lastChild)].nextSibling = index
            }
            tree.nodes[Int(node.parent)].childCount += 1
            open[parent].lastChild = index
        }
        tree.nodes.append(node)
        return index
    }
}

extension String {
    var utf8Bytes: [UInt8] { Array(utf8) }
}

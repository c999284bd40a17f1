/// Prints a tree like the transformer of Java's standard library (JDK 9 and later), without a declaration.
struct XMLPrinter {
    enum Style {
        /// Indented by two spaces a level with a final line end, without blank text: the 404 report and `formatXml`.
        case pretty
        /// Like `pretty`, but with blank text: a node selected by an XPath.
        case element
        /// On one line without blank text: `formatXml format=compact`.
        case compact
    }

    private let tree: XMLTree
    private let style: Style
    private var output: [UInt8] = []
    private var open: [Open] = []
    private var nextDeclaration = 0
    /// The prefixes in scope with their namespaces, innermost last.
    private var scope: [(prefix: [UInt8], uri: [UInt8])] = []

    private struct Open {
        let element: Int32
        /// Whether the element's children are on lines of their own.
        let isIndented: Bool
        let isPreserving: Bool
        let scopeCount: Int
    }

    /// - Parameter limit: the number of bytes after which printing ends.
    static func print(_ tree: XMLTree, _ style: Style, limit: Int = .max) -> [UInt8] {
        var printer = XMLPrinter(tree, style)
        printer.printAll(limit)
        return printer.output
    }

    private init(_ tree: XMLTree, _ style: Style) {
        self.tree = tree
        self.style = style
    }

    private mutating func printAll(_ limit: Int) {
        guard !tree.nodes.isEmpty else { return }
        var current: Int32 = 0
        while current != XMLTree.none, output.count <= limit {
            let node = tree[current]
            if node.kind == .element { printStart(current) } else { printLeaf(current) }
            if node.kind == .document || isOpen(current), node.firstChild != XMLTree.none {
                current = node.firstChild
                continue
            }
            while tree[current].nextSibling == XMLTree.none {
                if isOpen(current) { printEnd() }
                current = tree[current].parent
                if current == XMLTree.none { break }
            }
            guard current != XMLTree.none else { break }
            if isOpen(current) { printEnd() }
            current = tree[current].nextSibling
        }
        if style != .compact { output.append(UInt8(ascii: "\n")) }
    }

    private func isOpen(_ index: Int32) -> Bool { open.last?.element == index }

    private func isBlank(_ index: Int32) -> Bool {
        tree[index].kind == .text && tree.content(index).allSatisfy(\.isXMLSpace)
    }

    private mutating func printStart(_ index: Int32) {
        indent()
        let name = tree.name(index)
        output.append(UInt8(ascii: "<"))
        output.append(contentsOf: name?.qualified ?? [])
        let scopeCount = scope.count
        declare(index)
        let attributes = tree.attributes(of: index).map { (tree.names[Int($0.name)], $0.value) }
            .sorted { $0.0.qualified.lexicographicallyPrecedes($1.0.qualified) }
        for (name, value) in attributes { printAttribute(name.qualified, value) }
        for used in [name].compactMap({ $0 }) + attributes.map(\.0) { declareIfMissing(used, isElement: used == name) }
        var isEmpty = true
        var isIndented = false
        for child in tree.children(of: index) {
            let kind = tree[child].kind
            if kind == .text && style != .element && isBlank(child) { continue }
            isEmpty = false
            if kind != .text, kind != .cdata { isIndented = true }
        }
        guard !isEmpty else {
            output.append(contentsOf: "/>".utf8)
            scope.removeLast(scope.count - scopeCount)
            return
        }
        output.append(UInt8(ascii: ">"))
        let isPreserving = preserves(attributes) ?? open.last?.isPreserving ?? false
        open.append(
            Open(
                element: index, isIndented: isIndented && style != .compact && !isPreserving,
                isPreserving: isPreserving, scopeCount: scopeCount))
    }

    /// The value of `xml:space`; nil if there is none.
    private func preserves(_ attributes: [(XMLTree.Name, [UInt8])]) -> Bool? {
        for (name, value) in attributes where name.qualified.elementsEqual("xml:space".utf8) {
            return value.elementsEqual("preserve".utf8)
        }
        return nil
    }

    /// Prints the namespaces that an element declares, sorted by name.
    private mutating func declare(_ index: Int32) {
        var declared: [(name: [UInt8], prefix: [UInt8], uri: [UInt8])] = []
        while nextDeclaration < tree.declarations.count, tree.declarations[nextDeclaration].element == index {
            let declaration = tree.declarations[nextDeclaration]
            nextDeclaration += 1
            declared.append((Self.declarationName(declaration.prefix), declaration.prefix, declaration.uri))
        }
        for (name, prefix, uri) in declared.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
            printAttribute(name, uri)
            scope.append((prefix, uri))
        }
    }

    /// Declares a namespace whose declaration lies outside of the printed part.
    private mutating func declareIfMissing(_ name: XMLTree.Name, isElement: Bool) {
        guard let uri = name.uri, isElement || !name.prefix.isEmpty, !name.prefix.elementsEqual("xml".utf8),
            scope.last(where: { $0.prefix == name.prefix })?.uri != uri
        else { return }
        printAttribute(Self.declarationName(name.prefix), uri)
        scope.append((name.prefix, uri))
    }

    private static func declarationName(_ prefix: [UInt8]) -> [UInt8] {
        prefix.isEmpty ? "xmlns".utf8Bytes : "xmlns:".utf8Bytes + prefix
    }

    private mutating func printEnd() {
        guard let closed = open.popLast() else { return }
        if closed.isIndented, !endsWithCDATA(closed.element) { newLine() }
        output.append(contentsOf: "</".utf8)
        output.append(contentsOf: tree.name(closed.element)?.qualified ?? [])
        output.append(UInt8(ascii: ">"))
        scope.removeLast(scope.count - closed.scopeCount)
    }

    private func endsWithCDATA(_ element: Int32) -> Bool {
        var last = XMLTree.none
        var child = tree[element].firstChild
        while child != XMLTree.none {
            if style == .element || !isBlank(child) { last = child }
            child = tree[child].nextSibling
        }
        return last != XMLTree.none && tree[last].kind == .cdata
    }

    private mutating func printLeaf(_ index: Int32) {
        let content = tree.content(index)
        switch tree[index].kind {
        case .text:
            let blank = isBlank(index)
            if blank, style != .element { return }
            indent()
            if blank, open.last?.isIndented == true {
                output.append(contentsOf: content.filter { $0 != UInt8(ascii: "\n") })
            } else {
                printEscaped(content, inAttribute: false)
            }
        case .cdata:
            output.append(contentsOf: "<![CDATA[".utf8)
            output.append(contentsOf: content)
            output.append(contentsOf: "]]>".utf8)
        case .comment:
            indent()
            output.append(contentsOf: "<!--".utf8)
            output.append(contentsOf: content)
            output.append(contentsOf: "-->".utf8)
        case .instruction:
            indent()
            output.append(contentsOf: "<?".utf8)
            output.append(contentsOf: tree.name(index)?.local ?? [])
            if !content.isEmpty {
                output.append(UInt8(ascii: " "))
                output.append(contentsOf: content)
            }
            output.append(contentsOf: "?>".utf8)
        case .element, .document:
            break
        }
    }

    private mutating func indent() {
        if open.last?.isIndented == true { newLine() }
    }

    private mutating func newLine() {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * open.count))
    }

    private mutating func printAttribute(_ name: [UInt8], _ value: [UInt8]) {
        output.append(UInt8(ascii: " "))
        output.append(contentsOf: name)
        output.append(contentsOf: "=\"".utf8)
        printEscaped(value[...], inAttribute: true)
        output.append(UInt8(ascii: "\""))
    }

    /// Prints escaped text. Characters beyond the basic plane become references, as in Java's transformer.
    private mutating func printEscaped(_ text: ArraySlice<UInt8>, inAttribute: Bool) {
        var plain = text.startIndex
        for index in text.indices {
            guard let escaped = escape(text, index, inAttribute) else { continue }
            output.append(contentsOf: text[plain..<index])
            output.append(contentsOf: escaped.utf8)
            let length = text[index] >= 0xF0 ? 4 : text[index] == 0xC2 ? 2 : 1
            plain = min(index + length, text.endIndex)
        }
        output.append(contentsOf: text[plain...])
    }

    private func escape(_ text: ArraySlice<UInt8>, _ index: Int, _ inAttribute: Bool) -> String? {
        switch text[index] {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case 0x0D: "&#13;"
        case UInt8(ascii: "\"") where inAttribute: "&quot;"
        case 0x0A where inAttribute: "&#10;"
        case 0x09 where inAttribute: "&#9;"
        case 0x7F: "&#127;"
        case 0xC2 where index + 1 < text.endIndex && text[index + 1] < 0xA0:
            "&#\(text[index + 1]);"
        case 0xF0...:
            String(decoding: text[index...].prefix(4), as: UTF8.self).unicodeScalars.first.map { "&#\($0.value);" }
        default: nil
        }
    }
}

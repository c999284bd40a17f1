import SDBasics
import SDJSON
import SDStubModel

extension DescriptionReader {
    /// The members of an object; reports anything else.
    mutating func object(_ node: Node, _ expected: String = "an object") -> JSONObject? {
        if let object = node.value.objectValue { return object }
        report(node.place, "wrong type", expected: expected, found: node.value.shortDescription)
        return nil
    }

    /// The elements of a list; empty if it is absent or not a list, which is reported.
    mutating func elements(_ node: Node?, of what: String) -> [Node] {
        guard let node else { return [] }
        guard let elements = node.value.arrayValue else {
            report(node.place, "wrong type", expected: "a list of \(what)", found: node.value.shortDescription)
            return []
        }
        guard mayRead(elements.count, at: node.place) else { return [] }
        return elements.indices.map { Node(place: node.place.appending($0), value: elements[$0]) }
    }

    /// The members of an object; empty if it is absent or not an object, which is reported.
    /// - Parameter isExtensible: whether to leave out names that begin with `x-`, which are extensions.
    mutating func members(
        _ node: Node?, of what: String, isExtensible: Bool = false
    ) -> [(name: String, node: Node)] {
        guard let node, let object = object(node, "an object of \(what)") else { return [] }
        guard mayRead(object.count, at: node.place) else { return [] }
        return object.members.compactMap { member in
            guard !isExtensible || !Self.isExtension(member.key) else { return nil }
            return (member.key, Node(place: node.place.appending(member.key), value: member.value))
        }
    }

    /// Whether `count` more values may be read; reports an excess. With references, a short text can expand to billions
    /// of values.
    private mutating func mayRead(_ count: Int, at place: DocumentSet.Place) -> Bool {
        values += count
        if values <= Self.maxValues { return true }
        report(place, "the description is too large", expected: "at most \(Self.maxValues) values")
        return false
    }

    /// A string; nil if it is absent or not a string, which is reported.
    mutating func text(_ node: Node?, isError: Bool = false) -> String? {
        guard let node else { return nil }
        if let text = node.value.stringValue { return text }
        report(
            node.place, "wrong type", expected: "a text", found: node.value.shortDescription, isError: isError)
        return node.value.numberValue?.text
    }

    /// A boolean; nil if it is absent or not a boolean, which is reported.
    mutating func flag(_ node: Node?) -> Bool? {
        guard let node else { return nil }
        if let flag = node.value.boolValue { return flag }
        report(
            node.place, "wrong type", expected: "true or false", found: node.value.shortDescription,
            isError: false)
        switch node.value.stringValue?.lowercased() {
        case "true", "yes": return true
        case "false", "no": return false
        default: return nil
        }
    }

    /// Warns about unknown members of an object.
    mutating func checkNames(of node: Node, _ names: [String]) {
        guard let object = node.value.objectValue else { return }
        for member in object.members where !names.contains(member.key) && !Self.isExtension(member.key) {
            reportUnknown(member.key, in: node, names)
        }
    }

    mutating func reportUnknown(_ name: String, in node: Node, _ names: [String], isError: Bool = false) {
        let nearest = nearestName(to: name, among: names)
        report(
            node.place.appending(name), "unknown member \(quoted(name))",
            expected: nearest == nil ? "one of \(names.joined(separator: ", "))" : nil, suggestion: nearest,
            isAboutName: true, isError: isError)
    }

    static func isExtension(_ name: String) -> Bool { name.hasPrefix("x-") || name.hasPrefix("X-") }
}

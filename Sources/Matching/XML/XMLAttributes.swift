/// The attributes of an element; those of XML Schema are separate.
struct XMLAttributes {
    private static let instance = "http://www.w3.org/2001/XMLSchema-instance".utf8Bytes
    private static let schemaLocationName = XMLTree.Name(local: "schemaLocation".utf8Bytes, uri: instance)
    private static let noNamespaceSchemaLocationName = XMLTree.Name(
        local: "noNamespaceSchemaLocation".utf8Bytes, uri: instance)
    static let typeName = XMLTree.Name(local: "type".utf8Bytes, uri: instance)

    /// The other attributes, with their indices in the tree.
    private(set) var plain: [(index: Int, attribute: XMLTree.Attribute)] = []
    private(set) var schemaLocation: [UInt8]?
    private(set) var noNamespaceSchemaLocation: [UInt8]?
    /// The attribute `xsi:type`.
    private(set) var type: (index: Int, attribute: XMLTree.Attribute)?
    private let tree: XMLTree
    /// The values by name; nil for few attributes.
    private var values: [XMLTree.Name: [UInt8]] = [:]

    init(_ tree: XMLTree, _ element: Int32) {
        self.tree = tree
        for index in tree[element].attributes {
            let attribute = tree.attributes[index]
            let name = tree.names[Int(attribute.name)]
            if name.uri != Self.instance {
                plain.append((index, attribute))
            } else if name == Self.schemaLocationName {
                schemaLocation = attribute.value
            } else if name == Self.noNamespaceSchemaLocationName {
                noNamespaceSchemaLocation = attribute.value
            } else if name == Self.typeName {
                type = (index, attribute)
            } else {
                plain.append((index, attribute))
            }
        }
        guard plain.count > 8 else { return }
        for (_, attribute) in plain { values[tree.names[Int(attribute.name)]] = attribute.value }
    }

    func value(of name: XMLTree.Name) -> [UInt8]? {
        guard values.isEmpty else { return values[name] }
        return plain.first { tree.names[Int($0.attribute.name)] == name }?.attribute.value
    }
}

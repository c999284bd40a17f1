import SDJSON

/// The names by which records of other collections refer to those of one, as in json-server: a record with a `postId`
/// belongs to the record of `posts` with that key.
public struct RelationNames: Sendable {
    /// The possible singulars of the collection's name, likeliest first: English plurals are ambiguous.
    public let singulars: [String]
    private let fields: [String]

    private static let irregular = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse", "geese": "goose",
        "feet": "foot", "teeth": "tooth", "indices": "index", "vertices": "vertex", "matrices": "matrix",
        "criteria": "criterion", "phenomena": "phenomenon", "leaves": "leaf", "wolves": "wolf", "shelves": "shelf",
        "halves": "half", "lives": "life", "knives": "knife", "wives": "wife",
    ]

    public init(collection: String) {
        var singulars: [String] = []
        if let known = Self.irregular[collection] { singulars.append(known) }
        if collection.hasSuffix("ies") { singulars.append(collection.dropLast(3) + "y") }
        if collection.hasSuffix("s") { singulars.append(String(collection.dropLast())) }
        if collection.hasSuffix("es") { singulars.append(String(collection.dropLast(2))) }
        self.singulars = singulars + [collection]
        fields = self.singulars.map { $0 + "Id" }
    }

    /// The key of a record's owner; nil for none.
    public func ownerKey(of record: Record) -> String? {
        for field in fields {
            if let value = record.value[field] { return Record.key(value) }
        }
        return nil
    }
}

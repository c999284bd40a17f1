public import SDJSON

/// The documents of a description: its own, and those beside it that it refers to.
public struct DocumentSet: Sendable {
    /// A place in one of the documents.
    public struct Place: Sendable, Hashable {
        /// The document's index; 0 is the description's own.
        public var document: Int
        /// The place in it.
        public var pointer: JSONPointer

        /// Makes a place.
        public init(document: Int = 0, pointer: JSONPointer) {
            self.document = document
            self.pointer = pointer
        }
    }

    /// A document with its name.
    public struct Document: Sendable {
        /// Its path relative to the folder of the description's own document, or its URL.
        public var name: String
        /// What it says.
        public var json: JSONValue

        /// Makes a document.
        public init(name: String, json: JSONValue) {
            self.name = name
            self.json = json
        }
    }

    /// The description's own document, and then the others in the order in which they were found.
    public internal(set) var documents: [Document]

    /// The index of each document by the name that references give it.
    var indices: [String: Int] = [:]
    /// The places of schemas by the names that they give themselves by `$anchor`, by document.
    var anchors: [Int: [String: Place]] = [:]
    /// The heirs of schemas with a discriminator and without alternatives, by the places of these.
    public internal(set) var heirs: [Place: [Heir]] = [:]
    /// The places of schemas by their `$id`.
    var ids: [String: Place] = [:]
    /// The URL of the description's folder, by the `$self` of its document; documents below it are files beside it.
    var base: String?

    /// A set of one document.
    public init(_ own: Document) {
        documents = [own]
        // Others beside it name it by its last part only: its folder is the root.
        indices[own.name.split(separator: "/").last.map { String($0) } ?? own.name] = 0
        indices[own.name] = 0
        noteName(of: 0)
    }

    /// The value at a place, references not followed; nil where there is none.
    public func value(at place: Place) -> JSONValue? {
        guard documents.indices.contains(place.document) else { return nil }
        return documents[place.document].json[place.pointer]
    }
}

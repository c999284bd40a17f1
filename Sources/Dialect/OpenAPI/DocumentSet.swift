public import SDJSON

/// The documents of a description: the main one, and those that it refers to.
public struct DocumentSet: Sendable {
    /// A location in one of the documents.
    public struct Place: Sendable, Hashable {
        /// The document's index; 0 is the main document.
        public var document: Int
        /// The pointer in the document.
        public var pointer: JSONPointer

        /// Makes a location.
        public init(document: Int = 0, pointer: JSONPointer) {
            self.document = document
            self.pointer = pointer
        }
    }

    /// A document with its name.
    public struct Document: Sendable {
        /// Its path relative to the folder of the main document, or its URL.
        public var name: String
        /// The content.
        public var json: JSONValue

        /// Makes a document.
        public init(name: String, json: JSONValue) {
            self.name = name
            self.json = json
        }
    }

    /// The main document, followed by the others in the order in which they were found.
    public internal(set) var documents: [Document]

    /// The index of each document by its name in references.
    var indices: [String: Int] = [:]
    /// The locations of schemas by `$anchor`, for each document.
    var anchors: [Int: [String: Place]] = [:]
    /// The heirs of schemas with a discriminator and without alternatives, by the schema's location.
    public internal(set) var heirs: [Place: [DerivedSchema]] = [:]
    /// The locations of schemas by `$id`.
    var ids: [String: Place] = [:]
    /// The base URL from the main document's `$self`; URLs below it are local files.
    var base: String?

    /// Makes a set of one document.
    public init(_ own: Document) {
        documents = [own]
        // Others in the same folder refer to it by its file name.
        indices[own.name.split(separator: "/").last.map { String($0) } ?? own.name] = 0
        indices[own.name] = 0
        noteName(of: 0)
    }

    /// The value at a location, without following references; nil if there is none.
    public func value(at place: Place) -> JSONValue? {
        guard documents.indices.contains(place.document) else { return nil }
        return documents[place.document].json[place.pointer]
    }
}

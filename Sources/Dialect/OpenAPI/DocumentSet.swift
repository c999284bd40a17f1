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

    /// A set of one document.
    public init(_ own: Document) { documents = [own] }

    /// The value at a place, references not followed; nil where there is none.
    public func value(at place: Place) -> JSONValue? {
        guard documents.indices.contains(place.document) else { return nil }
        var value = documents[place.document].json
        for token in place.pointer.tokens {
            switch value {
            case .object(let object):
                guard let member = object[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Int(token), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}

public import SDJSON
public import SDStubModel

/// `openapi` in a file of routes, beside the routes or alone: documents that are served below the routes, such as
/// `openapi: { file: openapi.yaml, prefix: /v1 }`.
enum RouteContracts {
    static let key = RouteKey.contractsKey

    /// Whether an object names documents, and is none itself.
    static func isIn(_ object: JSONObject) -> Bool {
        guard let value = object[key] else { return false }
        switch value {
        case .object, .array: return true
        // A version is that of a document without anything else.
        case .string(let text): return !(text.utf8.first.map { (0x30...0x39).contains($0) } ?? true)
        default: return false
        }
    }

    /// Reads the documents of an object of routes; one with a problem is left out.
    static func read(_ json: JSONValue, _ reader: inout ModelReader) -> [NamedContract] {
        guard let object = json.objectValue, isIn(object), let value = object[key] else { return [] }
        return reader.within(key) { reader in
            guard case .array(let elements) = value else { return [read(one: value, &reader)].compactMap(\.self) }
            return elements.enumerated().compactMap { index, element in
                reader.within(String(index)) { read(one: element, &$0) }
            }
        }
    }

    private static func read(one value: JSONValue, _ reader: inout ModelReader) -> NamedContract? {
        let place = reader.place
        return OpenAPISettings.readDocument(value, &reader).map { NamedContract(settings: $0, place: place) }
    }
}

/// An OpenAPI document that a file of routes names.
public struct NamedContract: Sendable {
    /// How it is to be served.
    public var settings: OpenAPISettings
    /// Where the file of routes names it.
    public var place: JSONPointer
}

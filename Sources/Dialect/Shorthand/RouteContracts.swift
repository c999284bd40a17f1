public import SDJSON
public import SDStubModel

/// `openapi` in a routes file, beside routes or alone: OpenAPI documents to serve after the routes, such as
/// `openapi: { file: openapi.yaml, prefix: /v1 }`.
enum RouteContracts {
    static let key = RouteKey.contractsKey

    /// Whether an object names documents rather than being one.
    static func isIn(_ object: JSONObject) -> Bool {
        guard let value = object[key] else { return false }
        switch value {
        case .object, .array: return true
        // A version number means an OpenAPI document without other content.
        case .string(let text): return !(text.utf8.first.map { (0x30...0x39).contains($0) } ?? true)
        default: return false
        }
    }

    /// Reads the documents named in an object of routes; leaves out invalid ones.
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

/// An OpenAPI document named in a routes file.
public struct NamedContract: Sendable {
    /// Its settings.
    public var settings: OpenAPISettings
    /// The pointer in the routes file.
    public var place: JSONPointer
}

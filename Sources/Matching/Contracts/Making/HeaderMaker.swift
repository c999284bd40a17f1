import SDFakeValues
import SDJSON
import SDOpenAPI
import SDStubModel

/// Generates the header fields of answers.
enum HeaderMaker {
    /// Headers set by the server itself for the connection and the framing of bodies.
    private static let ofTheServer: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "date", "keep-alive", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// The value of a header; nil to omit it.
    static func value(of header: APIParameter, _ maker: inout ValueMaker, seed: UInt64) throws(ContractRefusal)
        -> String?
    {
        let name = header.name.lowercased()
        guard !ofTheServer.contains(name), !name.isEmpty else { return nil }
        let schema = header.schema ?? header.content?.schema
        let examples = header.examples + (header.content?.examples ?? [])
        if maker.wishes.source == .examples {
            for example in examples {
                if let text = example.serialized { return Self.safe(text) }
                guard let value = example.value else { continue }
                if let schema, !maker.isValid(value, schema) { continue }
                return Self.safe(written(value, header))
            }
        }
        if let schema {
            let shape = maker.shape(of: [schema])
            if shape.format == nil, shape.patterns.isEmpty, shape.fixed == nil,
                shape.shown.isEmpty || maker.wishes.source == .made,
                shape.choices.isEmpty, shape.types.contains(.string), let usual = usual(name, seed),
                maker.isValid(.string(usual), schema)
            {
                return usual
            }
            do throws(ContractRefusal) {
                let value = try maker.value(of: schema, name: header.name, seed: ValueLocation.mixed(seed, name))
                return Self.safe(written(value, header))
            } catch {
                if header.isRequired { throw error }
                return nil
            }
        }
        return usual(name, seed) ?? "text"
    }

    /// Values of well-known headers.
    private static func usual(_ name: String, _ seed: UInt64) -> String? {
        var source = FakeSource(seed: ValueLocation.mixed(seed, name))
        switch name {
        case "location", "content-location":
            return "https://example.com/\(source.word(NameTexts.plainWords))/\(source.number(100...999))"
        case "etag": return "\"\(source.hexadecimal(16))\""
        case "last-modified", "expires": return FormatText("http-date", ValueLocation(seed: seed))?.usual(&source)
        case "link": return "<https://example.com/items?page=2>; rel=\"next\""
        case "set-cookie": return "session=\(source.hexadecimal(24)); Path=/; HttpOnly"
        case "cache-control": return "no-store"
        case "www-authenticate": return "Bearer realm=\"api\""
        case "retry-after": return String(source.number(1...60))
        case "vary": return "Accept"
        case "allow": return "GET, HEAD"
        case "content-disposition": return "attachment; filename=\"report.txt\""
        case "content-language": return "en"
        case "access-control-allow-origin": return "*"
        default: return nil
        }
    }

    /// A value serialised for a header: style `simple`, or by its content type.
    private static func written(_ value: JSONValue, _ header: APIParameter) -> String {
        if header.content != nil, header.schema == nil { return value.compactText }
        func plain(_ value: JSONValue) -> String { value.stringValue ?? (value.isNull ? "" : value.compactText) }
        switch value {
        case .array(let items): return items.map(plain).joined(separator: ",")
        case .object(let object):
            let pairs = object.members.map { (name: $0.key, value: plain($0.value)) }
            return header.explode
                ? pairs.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
                : pairs.flatMap { [$0.name, $0.value] }.joined(separator: ",")
        default: return plain(value)
        }
    }

    /// The text without line ends.
    private static func safe(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 || $0 == "\t" }))
            .trimmed
    }
}

import SDHTTPTransport
import SDStubModel

/// The webhooks that led to a request, each followed by the next: a field that webhooks carry has the ids of their stubs. So a
/// webhook that leads back to its own stub, also by others or by servers that pass fields on, is sent once.
struct WebhookChain: Sendable {
    static let field = "Stunt-Double-Webhooks"
    /// The most webhooks that follow one another.
    static let longest = 10

    private let stubs: [String]

    init(_ request: Request) {
        var stubs: [String] = []
        request.forEachHeaderValue(Self.lowercasedField) { value in
            let ids = value.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 })
            // What is more than enough to refuse a webhook is not read.
            stubs += ids.prefix(Self.longest).map { String(decoding: $0, as: UTF8.self).lowercased() }
            return stubs.count < Self.longest
        }
        self.stubs = stubs
    }

    /// Why a webhook of a stub does not follow; nil if it may.
    func refusal(of stub: StubMapping.ID?) -> String? {
        if let stub, stubs.contains(stub.lowercasedString) {
            return "a webhook of this stub has led to the request, and it would go on without end"
        }
        guard stubs.count >= Self.longest else { return nil }
        return "\(stubs.count) webhooks, each followed by the next, have led to the request"
    }

    /// The field of a webhook of a stub.
    func passed(by stub: StubMapping.ID?) -> String {
        (stubs + (stub.map { [$0.lowercasedString] } ?? [])).joined(separator: ", ")
    }

    private static let lowercasedField = Array(field.lowercased().utf8)
}

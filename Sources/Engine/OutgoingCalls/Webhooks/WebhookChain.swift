import SDHTTPTransport
import SDStubModel

/// The webhooks that led to a request, each followed by the next: a field that webhooks carry has the ids of their stubs. So a
/// webhook that leads back to its own stub, also by others or by servers that pass fields on, is sent once.
///
/// Each webhook has a share of the request that it follows: of `n` webhooks one in `n`, and of one that is tried again the
/// attempts have a half, a quarter and so on of that. The parts that are not whole stand behind the ids: `id*4`. As the shares of
/// all webhooks at one place of their chains are never more than one request, the least share bounds their number.
struct WebhookChain: Sendable {
    static let field = "Stunt-Double-Webhooks"
    /// The most webhooks that follow one another.
    static let longest = 10
    /// A webhook that follows another one has at least one in so many parts of the first request.
    static let widest = 1024

    private let links: [String]
    /// The request's own share is one in so many parts.
    private let parts: Int

    init(_ request: Request) {
        var links: [String] = []
        request.forEachHeaderValue(Self.lowercasedField) { value in
            let all = value.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 })
            // What is more than enough to refuse a webhook is not read.
            links += all.prefix(Self.longest).map { String(decoding: $0, as: UTF8.self).lowercased() }
            return links.count < Self.longest
        }
        self.links = links
        parts = links.reduce(1) { parts, link in
            let (product, overflows) = parts.multipliedReportingOverflow(by: Self.parts(link))
            return overflows ? .max : product
        }
    }

    private static func id(_ link: String) -> Substring { link.prefix { $0 != "*" } }

    private static func parts(_ link: String) -> Int {
        max(Int(link.drop { $0 != "*" }.dropFirst()) ?? 1, 1)
    }

    /// Why a webhook does not follow; nil if it may.
    func refusal(of next: Link) -> String? {
        if let stub = next.stub, links.contains(where: { Self.id($0) == stub }) {
            return "a webhook of this stub has led to the request, and it would go on without end"
        }
        guard links.count < Self.longest else {
            return "\(links.count) webhooks, each followed by the next, have led to the request"
        }
        guard links.isEmpty || next.parts(ofAttempt: 1) <= Self.widest / parts else {
            return "the webhooks that have led to the request are followed by more than \(Self.widest)"
        }
        return nil
    }

    /// The value of the field for an attempt of a webhook.
    func passed(by next: Link, attempt: Int) -> String {
        let parts = next.parts(ofAttempt: attempt)
        return (links + (next.stub.map { [parts > 1 ? "\($0)*\(parts)" : $0] } ?? [])).joined(separator: ", ")
    }

    /// A webhook as the next one of a chain.
    struct Link: Sendable {
        let stub: String?
        /// The number of webhooks that follow the same request.
        let count: Int
        let isTriedAgain: Bool

        init(_ stub: StubMapping.ID?, count: Int, isTriedAgain: Bool) {
            self.stub = stub?.lowercasedString
            self.count = count
            self.isTriedAgain = isTriedAgain
        }

        fileprivate func parts(ofAttempt number: Int) -> Int {
            isTriedAgain ? count << min(number, 30) : count
        }
    }

    private static let lowercasedField = Array(field.lowercased().utf8)
}

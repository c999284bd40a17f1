import SDHTTPTransport
import SDStubModel

/// The chain of webhooks that led to a request: a header field of webhooks lists the ids of their stubs. So a webhook
/// that leads back to its own stub, directly or through servers that forward the field, is sent only once.
///
/// Each webhook has a share of the request that it follows: one of `n` webhooks has 1/n, and the attempts of a retried
/// one have a half, a quarter and so on of that. The denominator follows the id: `id*4`. As the shares of all webhooks
/// at one depth add up to at most one request, the smallest allowed share bounds their number.
struct WebhookChain: Sendable {
    static let field = "Stunt-Double-Webhooks"
    /// The longest chain of webhooks.
    static let longest = 10
    /// The largest denominator of a webhook that follows another one.
    static let widest = 1024

    private let links: [String]
    /// The denominator of the request's own share.
    private let parts: Int

    init(_ request: Request) {
        var links: [String] = []
        request.forEachHeaderValue(Self.lowercasedField) { value in
            let all = value.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 })
            // Entries past the limit are not needed for a refusal.
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

    /// Why a webhook is not sent; nil if it may be.
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

    /// A webhook as the next element of a chain.
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

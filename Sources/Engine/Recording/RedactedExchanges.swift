import SDBasics
import SDJSON
import SDPlatform
package import SDSecrets

/// Exchanges whose secrets have become placeholders.
package struct RedactedExchanges: Sendable {
    /// What stands in the place of a secret.
    package static let placeholder = SecretMarks.recorded.text
    /// The same in the XML of a request, where it matches any text.
    package static let anyXMLText = "${xmlunit.ignore}"

    package private(set) var exchanges: [RecordedExchange]
    /// The number of secrets that were replaced.
    package private(set) var count = 0

    private let reader: SecretReader
    private var search = SecretSearch(KnownSecrets(SecretNames()))

    /// Replaces the secrets of exchanges, of which one may tell those of another.
    package init(_ exchanges: [RecordedExchange], _ names: SecretNames) {
        reader = SecretReader(names)
        self.exchanges = exchanges.map(\.decoded)
        var known = KnownSecrets(names)
        for exchange in self.exchanges {
            for field in exchange.requestHeaders + exchange.responseHeaders + exchange.trailers {
                let value = Array(field.value.utf8)
                if names.contains(field.name) {
                    known.learn(header: field.name, field.value)
                } else {
                    known.learn(reader.places(in: value), in: value)
                }
            }
            for text in [Array(exchange.target.utf8), Array(exchange.url.utf8)] {
                known.learn(reader.places(in: text), in: text)
            }
            let (request, response) = (exchange.requestBody, exchange.responseBody)
            known.learn(reader.places(in: request, contentType: exchange.requestType), in: request)
            known.learn(reader.places(in: response, contentType: exchange.responseType), in: response)
        }
        search = SecretSearch(known)
        for index in self.exchanges.indices { self.exchanges[index] = redacted(self.exchanges[index]) }
    }

    private mutating func redacted(_ exchange: RecordedExchange) -> RecordedExchange {
        var exchange = exchange
        redactRequest(of: &exchange)
        let places = places(in: exchange.responseBody, exchange.responseType)
        if !places.isEmpty {
            exchange.chunks = Self.moved(exchange.chunks, around: places)
            exchange.responseBody = replaced(places, in: exchange.responseBody)
        }
        for index in exchange.requestHeaders.indices { redact(&exchange.requestHeaders[index]) }
        for index in exchange.responseHeaders.indices { redact(&exchange.responseHeaders[index]) }
        for index in exchange.trailers.indices { redact(&exchange.trailers[index]) }
        exchange.target = text(exchange.target)
        exchange.url = text(exchange.url)
        return exchange
    }

    private func places(in document: [UInt8], _ type: String?) -> [SecretPlace] {
        let named = reader.places(in: document, contentType: type)
        if search.isEmpty { return named }
        return (named + search.places(in: document, contentType: type)).merged()
    }

    private mutating func replaced(
        _ places: [SecretPlace], in document: [UInt8], _ marks: SecretMarks = .recorded
    ) -> [UInt8] {
        count += places.count
        return marks.replacing(places, in: document)
    }

    /// A part of a URL, whose parameters are matched.
    private mutating func text(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let places = places(in: bytes, nil)
        return places.isEmpty ? text : String(decoding: replaced(places, in: bytes, .matched), as: UTF8.self)
    }

    /// Replaces the secrets of a request's body, and adds what matches any value in their places where it is JSON or XML.
    private mutating func redactRequest(of exchange: inout RecordedExchange) {
        let body = exchange.requestBody
        let places = places(in: body, exchange.requestType)
        if places.isEmpty { return }
        let type = RecordedType(exchange.requestType)
        exchange.hidesRequest = true
        if type.mentions("json") {
            exchange.requestPattern = SecretPlaceholders.replacing(places, in: body)
            exchange.requestBody = replaced(places, in: body)
        } else if type.mentions("xml") {
            exchange.requestPattern = SecretMarks(text: Self.anyXMLText, scalars: Self.anyXMLText).replacing(
                places, in: body)
            exchange.requestBody = replaced(places, in: body)
        } else {
            exchange.requestBody = replaced(places, in: body, .matched)
        }
    }

    private mutating func redact(_ field: inout RecordedExchange.Field) {
        let value = Array(field.value.utf8)
        var places = reader.places(inHeader: field.name, value)
        if !search.isEmpty { places = (places + search.places(in: value)).merged() }
        if !places.isEmpty { field.value = String(decoding: replaced(places, in: value), as: UTF8.self) }
    }

    /// The pieces of a body in which places have changed their length. A border within a place moves to its end.
    private static func moved(
        _ chunks: [RecordedExchange.Chunk], around places: [SecretPlace]
    ) -> [RecordedExchange.Chunk] {
        var chunks = chunks
        var (end, newEnd, shift, next) = (0, 0, 0, 0)
        for index in chunks.indices {
            end += chunks[index].count
            var border = end
            while next < places.count, places[next].range.lowerBound < border {
                border = max(border, places[next].range.upperBound)
                shift += SecretMarks.recorded.bytes(for: places[next]).count - places[next].range.count
                next += 1
            }
            // What lies in a place that an earlier piece has taken up adds nothing.
            if next > 0 { border = max(border, places[next - 1].range.upperBound) }
            chunks[index].count = max(border + shift - newEnd, 0)
            newEnd += chunks[index].count
        }
        return chunks
    }
}

extension RecordedExchange {
    var requestType: String? { requestHeaders.first(named: "Content-Type") }
    var responseType: String? { responseHeaders.first(named: "Content-Type") }

    /// The exchange with bodies as they were before they were compressed.
    fileprivate var decoded: RecordedExchange {
        var exchange = self
        let (body, isPlain) = plainBody
        if isPlain, body != responseBody {
            exchange.responseBody = body
            exchange.responseHeaders.removeAll { $0.name.lowercased() == "content-encoding" }
            exchange.chunks = []
        }
        guard missingRequestBytes == 0, !requestBody.isEmpty else { return exchange }
        let codings = ContentCoding.codings(of: requestHeaders)
        if !codings.isEmpty, let body = ContentCoding.decoded(requestBody, codings) {
            exchange.requestBody = body
            exchange.requestHeaders.removeAll { $0.name.lowercased() == "content-encoding" }
        }
        return exchange
    }
}

import SDBasics
package import SDCapture
import SDJSON
import SDPlatform
package import SDSecrets

/// What is known of the secrets of exchanges so far.
package struct ExchangeSecrets {
    /// The headers in which no known value is looked for: common words make them.
    private static let common: Set<String> = ["content-type", "content-encoding", "cache-control"]

    /// The secrets that stand under their names in an exchange, beside those of its headers.
    struct Read {
        var target: [SecretPlace] = []
        var url: [SecretPlace] = []
        var request: [SecretPlace] = []
        var response: [SecretPlace] = []
    }

    /// How many values of headers are kept in mind.
    private static let mostHarmless = 16_384

    private let reading: SecretReading
    /// Values of headers without secrets: most come with every exchange.
    private var harmless: Set<String> = []
    private var known: KnownSecrets
    private var search: SecretSearch
    /// The number of secrets that were replaced.
    private(set) var count = 0

    package init(_ names: SecretNames) {
        reading = SecretReading(names)
        known = KnownSecrets(names)
        search = SecretSearch(known)
    }

    /// Takes up the secrets of an exchange.
    package mutating func learn(_ exchange: RecordedExchange) { _ = learn(plain: exchange.decoded) }

    /// Takes up the secrets of an exchange whose bodies are not compressed.
    mutating func learn(plain exchange: RecordedExchange) -> Read {
        for fields in [exchange.requestHeaders, exchange.responseHeaders, exchange.trailers] {
            for field in fields {
                if reading.isSecret(field.name) {
                    known.learn(header: field.name, field.value)
                } else if !harmless.contains(field.value), read(Array(field.value.utf8), nil).isEmpty,
                    harmless.count < Self.mostHarmless
                {
                    harmless.insert(field.value)
                }
            }
        }
        return Read(
            target: read(Array(exchange.target.utf8), nil), url: read(Array(exchange.url.utf8), nil),
            request: read(exchange.requestBody, exchange.requestType),
            response: read(exchange.responseBody, exchange.responseType))
    }

    private mutating func read(_ document: [UInt8], _ type: String?) -> [SecretPlace] {
        let places = reading.places(in: document, contentType: type)
        known.learn(places, in: document)
        return places
    }

    /// An exchange without its secrets, and without those of the ones that were taken up before.
    package mutating func withoutSecrets(_ exchange: RecordedExchange) -> RecordedExchange {
        let exchange = exchange.decoded
        let read = learn(plain: exchange)
        return redacted(exchange, read)
    }

    /// A text of an exchange without secrets, such as its target.
    package mutating func shown(_ text: String) -> String {
        search.add(known)
        let bytes = Array(text.utf8)
        let places = all(reading.places(in: bytes), in: bytes)
        return places.isEmpty ? text : String(decoding: replaced(places, in: bytes), as: UTF8.self)
    }

    /// An exchange without secrets.
    /// - Parameter read: those that stand under their names in it.
    mutating func redacted(_ exchange: RecordedExchange, _ read: Read) -> RecordedExchange {
        search.add(known)
        var exchange = exchange
        redactRequest(of: &exchange, read.request)
        let places = all(read.response, in: exchange.responseBody, exchange.responseType)
        if !places.isEmpty {
            exchange.chunks = Self.moved(exchange.chunks, around: places)
            exchange.responseBody = replaced(places, in: exchange.responseBody)
        }
        for index in exchange.requestHeaders.indices { redact(&exchange.requestHeaders[index]) }
        for index in exchange.responseHeaders.indices { redact(&exchange.responseHeaders[index]) }
        for index in exchange.trailers.indices { redact(&exchange.trailers[index]) }
        exchange.target = text(exchange.target, read.target)
        exchange.url = text(exchange.url, read.url)
        return exchange
    }

    /// The places of known values in a document, with those that were found.
    private func all(_ found: [SecretPlace], in document: [UInt8], _ type: String? = nil) -> [SecretPlace] {
        if search.isEmpty { return found }
        let known = search.places(in: document, contentType: type)
        return known.isEmpty ? found : (found + known).merged()
    }

    private mutating func replaced(
        _ places: [SecretPlace], in document: [UInt8], _ marks: SecretMarks = .recorded
    ) -> [UInt8] {
        count += places.count
        return marks.replacing(places, in: document)
    }

    /// A part of a URL, whose parameters are matched.
    private mutating func text(_ text: String, _ found: [SecretPlace]) -> String {
        let bytes = Array(text.utf8)
        let places = all(found, in: bytes)
        return places.isEmpty ? text : String(decoding: replaced(places, in: bytes, .matched), as: UTF8.self)
    }

    /// Replaces the secrets of a request's body, and adds what matches any value in their places where it is JSON or XML.
    private mutating func redactRequest(of exchange: inout RecordedExchange, _ found: [SecretPlace]) {
        let body = exchange.requestBody
        let places = all(found, in: body, exchange.requestType)
        if places.isEmpty { return }
        let type = RecordedType(exchange.requestType)
        exchange.hidesRequest = true
        if type.mentions("json") {
            exchange.requestPattern = SecretPlaceholders.replacing(places, in: body)
            exchange.requestBody = replaced(places, in: body)
        } else if type.mentions("xml") {
            exchange.requestPattern = SecretMarks(
                text: RedactedExchanges.anyXMLText, scalars: RedactedExchanges.anyXMLText
            ).replacing(places, in: body)
            exchange.requestBody = replaced(places, in: body)
        } else {
            exchange.requestBody = replaced(places, in: body, .matched)
        }
    }

    private mutating func redact(_ field: inout RecordedExchange.Field) {
        let value = Array(field.value.utf8)
        let isHarmless = harmless.contains(field.value) && !reading.isSecret(field.name)
        var places = isHarmless ? [] : reading.places(inHeader: field.name, value)
        if !Self.common.contains(field.name.lowercased()) { places = all(places, in: value) }
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
    var decoded: RecordedExchange {
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

import SDBasics
package import SDCapture
import SDJSON
import SDPlatform
package import SDSecrets

/// The secrets known from exchanges so far.
package struct ExchangeSecrets {
    /// Headers that are not searched for known values: they consist of common words.
    private static let common: Set<String> = ["content-type", "content-encoding", "cache-control"]

    /// An exchange's secrets found by name, apart from those in headers.
    struct Read {
        var target: [SecretLocation] = []
        var url: [SecretLocation] = []
        var request: [SecretLocation] = []
        var response: [SecretLocation] = []
    }

    /// The maximum number of cached header values.
    private static let maxHarmless = 16_384

    private let reading: SecretReading
    /// A cache of header values without secrets: most repeat in every exchange.
    private var harmless: Set<String> = []
    private var known: KnownSecrets
    private var search: SecretSearch
    /// The number of secrets replaced.
    private(set) var count = 0

    package init(_ names: SecretNames) {
        reading = SecretReading(names)
        known = KnownSecrets(names)
        search = SecretSearch(known)
    }

    /// Learns the secrets of an exchange.
    package mutating func learn(_ exchange: RecordedExchange) { _ = learn(plain: exchange.decoded) }

    /// Learns the secrets of an exchange with decompressed bodies.
    mutating func learn(plain exchange: RecordedExchange) -> Read {
        for fields in [exchange.requestHeaders, exchange.responseHeaders, exchange.trailers] {
            for field in fields {
                if reading.isSecret(field.name) {
                    known.learn(header: field.name, field.value)
                } else if !harmless.contains(field.value), read(Array(field.value.utf8), nil).isEmpty,
                    harmless.count < Self.maxHarmless
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

    private mutating func read(_ document: [UInt8], _ type: String?) -> [SecretLocation] {
        let places = reading.places(in: document, contentType: type)
        known.learn(places, in: document)
        return places
    }

    /// The exchange without its own secrets and those learned before.
    package mutating func withoutSecrets(_ exchange: RecordedExchange) -> RecordedExchange {
        let exchange = exchange.decoded
        let read = learn(plain: exchange)
        return redacted(exchange, read)
    }

    /// A redacted text of an exchange, such as its target.
    package mutating func shown(_ text: String) -> String {
        search.add(known)
        let bytes = Array(text.utf8)
        let places = all(reading.places(in: bytes), in: bytes)
        return places.isEmpty ? text : String(decoding: replaced(places, in: bytes), as: UTF8.self)
    }

    /// A redacted exchange.
    /// - Parameter read: its secrets found by name.
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

    /// The places found, and those of known values in a document.
    private func all(_ found: [SecretLocation], in document: [UInt8], _ type: String? = nil) -> [SecretLocation] {
        if search.isEmpty { return found }
        let known = search.places(in: document, contentType: type)
        return known.isEmpty ? found : (found + known).merged()
    }

    private mutating func replaced(
        _ places: [SecretLocation], in document: [UInt8], _ marks: SecretMarks = .recorded
    ) -> [UInt8] {
        count += places.count
        return marks.replacing(places, in: document)
    }

    /// A part of a URL, whose parameters are matched.
    private mutating func text(_ text: String, _ found: [SecretLocation]) -> String {
        let bytes = Array(text.utf8)
        let places = all(found, in: bytes)
        return places.isEmpty ? text : String(decoding: replaced(places, in: bytes, .matched), as: UTF8.self)
    }

    /// Replaces the secrets in a request's body; in JSON and XML, by placeholders that match any value.
    private mutating func redactRequest(of exchange: inout RecordedExchange, _ found: [SecretLocation]) {
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

    /// The chunks of a body after replacements have changed lengths. A boundary within a replaced place moves to its
    /// end.
    private static func moved(
        _ chunks: [RecordedExchange.Chunk], around places: [SecretLocation]
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
            // A boundary in a place that an earlier chunk includes adds nothing.
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

    /// The exchange with decompressed bodies.
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

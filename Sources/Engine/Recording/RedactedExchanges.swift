import SDBasics
import SDPlatform

/// Exchanges whose secrets have become placeholders.
package struct RedactedExchanges: Sendable {
    /// What stands in the place of a secret.
    package static let placeholder = "REDACTED"
    /// The same in the JSON of a request, where it matches any text.
    package static let anyText = "${json-unit.any-string}"

    package private(set) var exchanges: [RecordedExchange]
    /// The number of secrets that were replaced.
    package private(set) var count = 0

    /// Replaces the secrets of exchanges, of which one may tell those of another.
    package init(_ exchanges: [RecordedExchange], _ names: SecretNames) {
        var search = SecretSearch(names)
        self.exchanges = exchanges.map(\.decoded)
        for exchange in self.exchanges {
            for field in exchange.requestHeaders + exchange.responseHeaders where names.contains(field.name) {
                for value in Self.secrets(in: field) { search.learn(value.utf8) }
            }
            search.learn(from: Array(exchange.target.utf8))
            search.learn(from: exchange.requestBody)
            search.learn(from: exchange.responseBody)
        }
        for index in self.exchanges.indices { self.exchanges[index] = redacted(self.exchanges[index], search) }
    }

    /// The secret parts of a header's value: all of it, or what stands behind a scheme or in cookies.
    private static func secrets(in field: RecordedExchange.Field) -> [Substring] {
        switch field.name.lowercased() {
        case "set-cookie": return [field.value.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()]
        case "cookie":
            return field.value.split(separator: ";").map { $0.drop { $0 != "=" }.dropFirst() }
        case "authorization", "proxy-authorization":
            return [field.value.drop { $0 != " " }.drop { $0 == " " }]
        default: return [field.value[...]]
        }
    }

    private mutating func redacted(_ exchange: RecordedExchange, _ search: SecretSearch) -> RecordedExchange {
        var exchange = exchange
        for index in exchange.requestHeaders.indices { redact(&exchange.requestHeaders[index], search) }
        for index in exchange.responseHeaders.indices { redact(&exchange.responseHeaders[index], search) }
        exchange.target = String(
            decoding: replaced(Array(exchange.target.utf8), Self.placeholder, search), as: UTF8.self)
        exchange.url = String(decoding: replaced(Array(exchange.url.utf8), Self.placeholder, search), as: UTF8.self)
        let isJSON = RecordedType(exchange.requestHeaders.first(named: "Content-Type")).mentions("json")
        exchange.requestBody = replaced(exchange.requestBody, isJSON ? Self.anyText : Self.placeholder, search)
        let places = search.places(in: exchange.responseBody)
        guard !places.isEmpty else { return exchange }
        exchange.chunks = Self.moved(exchange.chunks, around: places, by: Self.placeholder.utf8.count)
        exchange.responseBody = replaced(exchange.responseBody, Self.placeholder, search)
        return exchange
    }

    private mutating func redact(_ field: inout RecordedExchange.Field, _ search: SecretSearch) {
        guard search.names.contains(field.name) else {
            field.value = String(
                decoding: replaced(Array(field.value.utf8), Self.placeholder, search), as: UTF8.self)
            return
        }
        count += 1
        guard field.name.lowercased() == "set-cookie" else {
            field.value = Self.placeholder
            return
        }
        let name = field.value.prefix { $0 != "=" && $0 != ";" }
        field.value = "\(name)=\(Self.placeholder)" + field.value.drop { $0 != ";" }
    }

    private mutating func replaced(_ text: [UInt8], _ placeholder: String, _ search: SecretSearch) -> [UInt8] {
        let places = search.places(in: text)
        if places.isEmpty { return text }
        count += places.count
        var result: [UInt8] = []
        var end = 0
        for place in places {
            result += text[end..<place.lowerBound]
            // A number becomes a text.
            let isBare = Self.isNumber(text, place)
            if isBare { result.append(UInt8(ascii: "\"")) }
            result += Array(placeholder.utf8)
            if isBare { result.append(UInt8(ascii: "\"")) }
            end = place.upperBound
        }
        return result + text[end...]
    }

    /// Whether a place holds a number of JSON, which stands in no quotes.
    private static func isNumber(_ text: [UInt8], _ place: Range<Int>) -> Bool {
        guard text[place].allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }) else { return false }
        let before = text[..<place.lowerBound].last { $0 > 0x20 }
        return before == UInt8(ascii: ":")
    }

    /// The pieces of a body in which places have changed their length. A border within a place moves to its end.
    private static func moved(
        _ chunks: [RecordedExchange.Chunk], around places: [Range<Int>], by length: Int
    ) -> [RecordedExchange.Chunk] {
        var chunks = chunks
        var end = 0
        var newEnd = 0
        for index in chunks.indices {
            end += chunks[index].count
            var border = end
            var shift = 0
            for place in places where place.lowerBound < border {
                if place.upperBound > border { border = place.upperBound }
                shift += length - place.count
            }
            chunks[index].count = max(border + shift - newEnd, 0)
            newEnd += chunks[index].count
        }
        return chunks
    }
}

extension RecordedExchange {
    /// The exchange with bodies as they were before they were compressed.
    fileprivate var decoded: RecordedExchange {
        var exchange = self
        let (body, isPlain) = plainBody
        if isPlain, body != responseBody {
            exchange.responseBody = body
            exchange.responseHeaders.removeAll { $0.name.lowercased() == "content-encoding" }
            exchange.chunks = []
        }
        return exchange
    }
}

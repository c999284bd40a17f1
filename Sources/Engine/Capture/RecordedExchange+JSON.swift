package import SDJSON
import SDStubModel

/// The format of exchanges that replicas send each other.
extension RecordedExchange {
    /// - Parameter sequence: the sequence number of the exchange's event.
    package func json(sequence: UInt64) -> JSONValue {
        [
            "sequence": Self.number(sequence), "method": .string(method), "url": .string(url),
            "target": .string(target), "requestHeaders": Self.json(requestHeaders),
            "requestBody": .string(Base64.encode(requestBody)), "status": .number(JSONNumber(status)),
            "reason": .string(reason), "responseHeaders": Self.json(responseHeaders),
            "responseBody": .string(Base64.encode(responseBody)), "trailers": Self.json(trailers),
            "missingBytes": .number(JSONNumber(missingBytes)),
            "missingRequestBytes": .number(JSONNumber(missingRequestBytes)), "isBroken": .bool(isBroken),
            "failure": failure.map { .string($0) } ?? .null,
            "chunks": .array(chunks.map { .array([Self.number($0.gap), .number(JSONNumber($0.count))]) }),
            "latency": Self.number(latency), "duration": Self.number(duration), "wallTime": Self.number(wallTime),
        ]
    }

    /// Parses an exchange and the sequence number of its event; nil for anything that no replica writes.
    package static func read(_ json: JSONValue) -> (sequence: UInt64, exchange: RecordedExchange)? {
        guard let sequence = number(json["sequence"]), let method = json["method"]?.stringValue,
            let url = json["url"]?.stringValue, let target = json["target"]?.stringValue,
            let status = json["status"]?.intValue, (100..<1000).contains(status),
            let requestBody = bytes(json["requestBody"]), let responseBody = bytes(json["responseBody"]),
            let requestHeaders = fields(json["requestHeaders"]), let responseHeaders = fields(json["responseHeaders"]),
            let trailers = fields(json["trailers"])
        else { return nil }
        var exchange = RecordedExchange(method: method, url: url, target: target, status: status)
        (exchange.requestHeaders, exchange.requestBody) = (requestHeaders, requestBody)
        (exchange.responseHeaders, exchange.responseBody, exchange.trailers) = (responseHeaders, responseBody, trailers)
        exchange.reason = json["reason"]?.stringValue ?? ""
        exchange.missingBytes = max(json["missingBytes"]?.intValue ?? 0, 0)
        exchange.missingRequestBytes = max(json["missingRequestBytes"]?.intValue ?? 0, 0)
        exchange.isBroken = json["isBroken"]?.boolValue ?? false
        exchange.failure = json["failure"]?.stringValue
        for chunk in json["chunks"]?.arrayValue ?? [] {
            guard let pair = chunk.arrayValue, pair.count == 2, let gap = number(pair[0]), gap < 1 << 53,
                let count = pair[1].intValue, (0...responseBody.count).contains(count)
            else { return nil }
            exchange.chunks.append(Chunk(gap: gap, count: count))
        }
        exchange.latency = number(json["latency"]) ?? 0
        exchange.duration = number(json["duration"]) ?? 0
        exchange.wallTime = number(json["wallTime"]) ?? 0
        return (sequence, exchange)
    }

    private static func number(_ value: UInt64) -> JSONValue { .number(JSONNumber(Int(clamping: value))) }

    private static func number(_ json: JSONValue?) -> UInt64? { json?.intValue.flatMap { UInt64(exactly: $0) } }

    private static func bytes(_ json: JSONValue?) -> [UInt8]? {
        json?.stringValue.flatMap { try? Base64.decode($0) }
    }

    private static func json(_ fields: [Field]) -> JSONValue {
        .array(fields.map { .array([.string($0.name), .string($0.value)]) })
    }

    private static func fields(_ json: JSONValue?) -> [Field]? {
        var fields: [Field] = []
        for field in json?.arrayValue ?? [] {
            guard let pair = field.arrayValue, pair.count == 2, let name = pair[0].stringValue,
                let value = pair[1].stringValue
            else { return nil }
            fields.append((name, value))
        }
        return fields
    }
}

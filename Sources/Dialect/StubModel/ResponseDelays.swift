public import SDJSON

/// The delay before the first byte and the one before each chunk of the body, apart: an addition to WireMock's delays.
public struct ResponseDelays: Sendable, Hashable {
    /// The delay before the first byte, drawn for each response.
    public let firstByte: DelayDistribution?
    /// The delay before a chunk, drawn anew for each.
    public let perChunk: DelayDistribution?
    /// The delays as they were written.
    public let json: JSONValue

    /// Makes delays of two distributions; nil for none.
    public init(firstByte: DelayDistribution?, perChunk: DelayDistribution?) {
        var object = JSONObject()
        object["firstByte"] = firstByte?.json
        object["perChunk"] = perChunk?.json
        self.init(firstByte: firstByte, perChunk: perChunk, json: .object(object))
    }

    private init(firstByte: DelayDistribution?, perChunk: DelayDistribution?, json: JSONValue) {
        self.firstByte = firstByte
        self.perChunk = perChunk
        self.json = json
    }

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> ResponseDelays? {
        let expected = "{firstByte: 200ms, perChunk: 20ms}"
        if value.isNull { return nil }
        guard case .object(let object) = value else {
            reader.report(detail: nil, message: "wrong type", expected: expected, found: value.shortDescription)
            return nil
        }
        var delays: [String: DelayDistribution] = [:]
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: DialectNames.delays, otherNames: DialectNames.delaysAliases) {
                delays[member.key] = WrittenDelay.read(member.value, &$0)
            }
        }
        guard reader.problems.count == known else { return nil }
        if delays.isEmpty {
            reader.report(detail: nil, message: "no delays", expected: expected)
            return nil
        }
        return ResponseDelays(firstByte: delays["firstByte"], perChunk: delays["perChunk"], json: value)
    }
}

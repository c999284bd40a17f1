import SDJSON
import SDStubModel

/// The delays of the route shorthand: `120ms`, `1.5s`, a distribution (see `WrittenDelay`),
/// `{firstByte: 100ms, perChunk: 20ms}`, or a template of a duration.
enum RouteDelay {
    /// Reads a delay into the delay fields of `response`.
    static func readDelay(_ value: JSONValue, into response: inout ResponseDefinition, _ reader: inout ModelReader) {
        if WrittenDelay.reportRange(value, &reader) { return }
        guard case .object(let object) = value else {
            if let text = value.stringValue, RouteTemplate.hasExpression(text) {
                response.fixedDelayTemplate = text
                return
            }
            response.fixedDelayMilliseconds = WrittenDuration.read(value, &reader)
            return
        }
        if object["firstByte"] != nil || object["perChunk"] != nil {
            response.delays = ResponseDelays.read(value, &reader)
        } else {
            response.delayDistribution = WrittenDelay.read(object, &reader)
        }
    }

    /// Reads `{chunks: 5, over: 1s}`.
    static func readDribble(_ value: JSONValue, _ reader: inout ModelReader) -> DribbleDelay? {
        let expected = "{chunks: 5, over: 1s}"
        guard case .object(let object) = value else {
            reader.report(detail: nil, message: "wrong type", expected: expected, found: value.shortDescription)
            return nil
        }
        var chunks: Int?
        var duration: Int?
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: ["chunks", "over"]) { reader in
                if member.key == "over" {
                    duration = WrittenDuration.read(member.value, &reader)
                } else {
                    chunks = member.value.intValue
                    if chunks.map({ $0 > 0 && $0 <= Int(Int32.max) }) != true {
                        reader.report(
                            detail: nil, message: "not a number of chunks", expected: "an integer of at least 1",
                            found: member.value.shortDescription)
                    }
                }
            }
        }
        guard reader.problems.count == known else { return nil }
        guard let chunks, let duration else {
            let missing = chunks == nil ? "chunks" : "over"
            reader.report(detail: nil, message: "\"\(missing)\" is missing", expected: expected)
            return nil
        }
        return DribbleDelay(numberOfChunks: chunks, totalDuration: duration)
    }
}

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
}

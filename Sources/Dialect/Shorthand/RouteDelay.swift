import SDJSON
import SDStubModel

/// The delays of the route shorthand: `120ms`, `1.5s`, a distribution (see `DelayText`),
/// `{firstByte: 100ms, perChunk: 20ms}`, or a template that gives a duration.
enum RouteDelay {
    /// Reads a delay into the delay fields of `response`.
    static func readDelay(_ value: JSONValue, into response: inout ResponseDefinition, _ reader: inout ModelReader) {
        if DelayText.reportRange(value, &reader) { return }
        guard case .object(let object) = value else {
            if let text = value.stringValue, RouteTemplate.hasExpression(text) {
                response.fixedDelayTemplate = text
                return
            }
            response.fixedDelayMilliseconds = DurationText.read(value, &reader)
            return
        }
        if object["firstByte"] != nil || object["perChunk"] != nil {
            response.delays = ResponseDelays.read(value, &reader)
        } else {
            response.delayDistribution = DelayText.read(object, &reader)
        }
    }
}

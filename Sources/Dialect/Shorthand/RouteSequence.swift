import SDJSON
import SDStubModel

/// The shorthand's fields about how long and in which order a route answers: `times`, `ttl`, `enabled`, and several
/// responses under `sequence`, with `onEnd` and `select`.
enum RouteSequence {
    static let keys = ["times", "ttl", "enabled", "sequence", "onEnd", "select"]

    static func read(
        _ member: JSONObject.Member, into stub: inout StubMapping, _ defaults: RouteDefaults,
        _ reader: inout ModelReader
    ) {
        guard member.key == "sequence" else {
            stub.readLifecycle(member, &reader)
            return
        }
        var sequence = stub.responses ?? ResponseSequence([])
        sequence.entries = ResponseSequence.readEntries(member.value, &reader) { value, reader in
            RouteShorthand.readEntry(value, defaults, &reader)
        }
        stub.responses = sequence
    }

    static func check(_ object: JSONObject, _ stub: inout StubMapping, _ reader: inout ModelReader) {
        guard let sequence = stub.responses else { return }
        guard object["sequence"] != nil else {
            let name = sequence.onEnd == nil ? "select" : "onEnd"
            reader.reportName(name, message: "there is no sequence", expected: "\"sequence\" beside it")
            stub.responses = nil
            return
        }
        if object["fallThrough"] != nil {
            reader.reportName(
                "fallThrough", message: "one of several responses cannot fall through",
                expected: "a route with one response")
        }
        for key in object.keys where RouteShorthand.entryKeys.contains(key) {
            reader.reportName(
                key, message: "a route has one response or a sequence of them", expected: "\"\(key)\" in the sequence")
        }
        sequence.check(&reader, list: "sequence")
        if let first = sequence.entries.first { stub.response = first.response }
    }

    /// Whether the route, or the element of its list, may stop answering.
    static func mayStop(_ value: JSONValue) -> Bool {
        value["times"] != nil || value["ttl"] != nil || value["enabled"] != nil
    }
}

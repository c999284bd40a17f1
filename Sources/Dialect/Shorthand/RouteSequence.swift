import SDJSON
import SDStubModel

/// The shorthand's fields about the order and number of answers: `times`, `ttl`, `enabled`, and several responses under
/// `sequence`, with `onEnd`, `select` and `per`. The last three may also be inside it:
/// `sequence: {per: path.id, responses: […]}`.
enum RouteSequence {
    private static let options = ["onEnd", "select", "per"]
    static let objectKeys = DialectNames.routeSequence

    static func read(
        _ value: JSONValue, into stub: inout StubMapping, _ defaults: RouteDefaults, _ reader: inout ModelReader
    ) {
        guard case .object(let object) = value else {
            readEntries(value, into: &stub, defaults, &reader)
            return
        }
        for member in object.members {
            reader.key(member, of: objectKeys, otherNames: DialectNames.routeSequenceAliases) { reader in
                if member.key == "responses" {
                    readEntries(member.value, into: &stub, defaults, &reader)
                } else {
                    stub.readMember(member, &reader)
                }
            }
        }
        if object["responses"] == nil {
            reader.report(
                detail: nil, message: "no responses", expected: "\"responses\" with a list of at least one response")
        }
    }

    private static func readEntries(
        _ value: JSONValue, into stub: inout StubMapping, _ defaults: RouteDefaults, _ reader: inout ModelReader
    ) {
        var sequence = stub.responses ?? ResponseSequence([])
        sequence.entries = ResponseSequence.readEntries(value, &reader) { value, reader in
            RouteShorthand.readEntry(value, defaults, &reader)
        }
        stub.responses = sequence
    }

    static func check(_ object: JSONObject, _ stub: inout StubMapping, _ reader: inout ModelReader) {
        guard let sequence = stub.responses else { return }
        guard object["sequence"] != nil else {
            if let name = sequence.ineffectiveName {
                reader.reportName(name, message: "there is no sequence", expected: "\"sequence\" beside it")
            }
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
        for key in options where object[key] != nil && object["sequence"]?[key] != nil {
            reader.reportName(
                key, message: "duplicate \"\(key)\", which \"sequence\" has, too", expected: "one of the two")
        }
        if object["sequence"]?.objectValue == nil {
            sequence.check(&reader, list: "sequence", stub.request.url)
        } else {
            reader.within("sequence") { sequence.check(&$0, list: "responses", stub.request.url) }
        }
        if let first = sequence.entries.first { stub.response = first.response }
    }

    /// Whether the route, or the list element, may stop answering.
    static func mayStop(_ value: JSONValue) -> Bool {
        value["times"] != nil || value["ttl"] != nil || value["enabled"] != nil
    }
}

import SDBasics
package import SDJSON

/// The fields about how long a stub answers: additions to WireMock's mappings, written only if they are set.
extension StubMapping {
    static let lifecycleFieldNames = ["times", "timesLeft", "ttl", "enabled", "responses", "onEnd", "select", "per"]

    static let timesRange = 1...Int(Int32.max)

    /// Reads one of `lifecycleFieldNames`.
    package mutating func readLifecycle(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        let value = member.value
        // As in WireMock, null counts as absent.
        guard !value.isNull else { return }
        switch member.key {
        case "times": times = reader.wholeNumber(value, in: Self.timesRange, "a number of requests")
        case "ttl": ttlMilliseconds = Self.readTTL(value, &reader)
        case "enabled": enabled = reader.bool(value)
        case "responses":
            change { $0.entries = ResponseSequence.readEntries(value, &reader, ResponseDefinition.read) }
        case "onEnd": change { $0.onEnd = reader.choice(value, "an end", otherNames: ResponseSequence.otherEnds) }
        case "select": change { $0.select = reader.choice(value, "a way to select") }
        case "per": change { $0.per = SequenceKey.read(value, &reader) }
        // The daemon's own count, which clients send back in mappings that they have read.
        default: break
        }
    }

    package static func readTTL(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let text = value.stringValue, let milliseconds = WrittenDuration.milliseconds(text), milliseconds > 0 {
            return milliseconds
        }
        let seconds =
            value.numberValue.map { $0.text + "s" }.flatMap { WrittenDuration.milliseconds($0) == nil ? nil : $0 }
            ?? (value.numberValue == nil ? WrittenDuration.meant(by: value) : nil)
        reader.refuse(
            "not a time to live", expected: "a duration above 0 with its unit, such as 30s or 5m",
            found: value.shortDescription, suggestion: seconds)
        return nil
    }

    private mutating func change(_ body: (inout ResponseSequence) -> Void) {
        var sequence = responses ?? ResponseSequence([])
        body(&sequence)
        responses = sequence
    }

    /// Reports contradictory fields in the mapping's object.
    mutating func checkLifecycle(_ object: JSONObject, _ reader: inout ModelReader) {
        guard let sequence = responses else { return }
        if object["responses"].map(\.isNull) ?? true {
            if let name = sequence.vainName {
                reader.within(name) {
                    $0.refuse("there are no responses", expected: "\"responses\" beside it", found: nil)
                }
            }
            responses = nil
            return
        }
        if let response = object["response"], !response.isNull {
            reader.within("response") {
                $0.refuse(
                    "a stub has one response or several", expected: "\"response\" or \"responses\"", found: "both")
            }
        }
        sequence.check(&reader, list: "responses", request.url)
        for (index, entry) in sequence.entries.enumerated() where entry.response.fallThrough == true {
            reader.within("responses") { reader in
                reader.within(String(index)) { reader in
                    reader.within("fallThrough") {
                        $0.refuse(
                            "one of several responses cannot fall through", expected: "a stub with one \"response\"",
                            found: nil)
                    }
                }
            }
        }
        // Code that reads a stub's response gets the first.
        if let first = sequence.entries.first { response = first.response }
    }

    func writeLifecycle(to object: inout JSONObject, view: View) {
        object["times"] = times.map { .number(JSONNumber($0)) }
        if view == .api { object["timesLeft"] = timesLeft.map { .number(JSONNumber($0)) } }
        object["ttl"] = ttlMilliseconds.map { .string(WrittenDuration.text(milliseconds: $0)) }
        object["enabled"] = enabled.map(JSONValue.bool)
        guard let responses else { return }
        object["response"] = nil
        responses.write(to: &object)
    }
}

extension ModelReader {
    package func nearest(_ name: String, _ names: [String]) -> String? {
        meantName(by: name, among: names)
    }
}

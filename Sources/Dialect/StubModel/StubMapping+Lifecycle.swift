import SDBasics
package import SDJSON

/// The fields that limit how long a stub answers: additions to WireMock's mappings, written only if set.
extension StubMapping {
    static let timesRange = 1...Int(Int32.max)

    package static func readTTL(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let text = value.stringValue, let milliseconds = DurationText.milliseconds(text), milliseconds > 0 {
            return milliseconds
        }
        let seconds =
            value.numberValue.map { $0.text + "s" }.flatMap { DurationText.milliseconds($0) == nil ? nil : $0 }
            ?? (value.numberValue == nil ? DurationText.meant(by: value) : nil)
        reader.refuse(
            "not a time to live", expected: "a duration above 0 with its unit, such as 30s or 5m",
            found: value.shortDescription, suggestion: seconds)
        return nil
    }

    mutating func change(_ body: (inout ResponseSequence) -> Void) {
        var sequence = responses ?? ResponseSequence([])
        body(&sequence)
        responses = sequence
    }

    /// Reports contradictory fields.
    mutating func checkLifecycle(_ object: JSONObject, _ reader: inout ModelReader) {
        guard let sequence = responses else { return }
        if object["responses"].map(\.isNull) ?? true {
            if let name = sequence.ineffectiveName {
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
        // `response` is the first of the sequence, for code that reads only one.
        if let first = sequence.entries.first { response = first.response }
    }
}

extension ModelReader {
    package func nearest(_ name: String, _ names: [String]) -> String? {
        meantName(by: name, among: names)
    }
}

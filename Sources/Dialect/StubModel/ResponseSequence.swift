import SDBasics
package import SDJSON

/// Several responses of a stub, given in turn or at random. An addition to WireMock's mappings: the fields `responses`,
/// `onEnd`, `select` and `per`.
public struct ResponseSequence: Sendable, Hashable {
    /// A response and its weight.
    public struct Entry: Sendable, Hashable {
        /// The response.
        public var response: ResponseDefinition
        /// The weight in a random choice; nil counts as 1.
        public var weight: Int?

        /// Makes an entry.
        public init(_ response: ResponseDefinition, weight: Int? = nil) {
            self.response = response
            self.weight = weight
        }
    }

    /// The responses; at least one.
    public var entries: [Entry]
    /// The behaviour after the last response; nil counts as `repeatLast`.
    public var onEnd: End?
    /// The order; nil counts as `sequence`.
    public var select: Selection?
    /// The request value by which sequences are separated; nil for one sequence for all requests.
    public var per: SequenceKey?

    /// Makes a sequence.
    public init(_ entries: [Entry], onEnd: End? = nil, select: Selection? = nil, per: SequenceKey? = nil) {
        self.entries = entries
        self.onEnd = onEnd
        self.select = select
        self.per = per
    }

    /// The valid weights; sums stay far from an overflow.
    static let weights = 0...1_000_000
}

extension ResponseSequence {
    static let endNames = End.allCases.map(\.rawValue)
    static let selectionNames = Selection.allCases.map(\.rawValue)

    /// Reads the entries of a list; `read` reads one without its weight.
    package static func readEntries(
        _ value: JSONValue, _ reader: inout ModelReader,
        _ read: (JSONValue, inout ModelReader) -> ResponseDefinition
    ) -> [Entry] {
        guard case .array(let elements) = value, !elements.isEmpty else {
            reader.refuse("no responses", expected: "a list of at least one response", found: value.shortDescription)
            return []
        }
        var entries: [Entry] = []
        for (index, element) in elements.enumerated() {
            reader.within(String(index)) { reader in
                var rest = element
                var weight: Int?
                if case .object(var object) = element, let given = object["weight"] {
                    weight = reader.within("weight") { $0.wholeNumber(given, in: weights, "a weight") }
                    object["weight"] = nil
                    rest = .object(object)
                }
                entries.append(Entry(read(rest, &reader), weight: weight))
            }
        }
        return entries
    }

    /// The first field that has no meaning without responses; nil for none.
    package var ineffectiveName: String? {
        onEnd != nil ? "onEnd" : select != nil ? "select" : per != nil ? "per" : nil
    }

    /// Reports contradictory fields.
    /// - Parameter url: the URL condition of the stub.
    package func check(_ reader: inout ModelReader, list: String, _ url: URLPattern) {
        if let per {
            reader.within("per") { reader in
                per.check(url, &reader)
                if select == .random {
                    reader.refuse("\"per\" does not apply to a random choice", expected: "no per", found: nil)
                }
            }
        }
        if select == .random {
            if onEnd != nil {
                reader.within("onEnd") {
                    $0.refuse("\"onEnd\" does not apply to a random choice", expected: "no onEnd", found: nil)
                }
            }
            if !entries.isEmpty, entries.allSatisfy({ $0.weight == 0 }) {
                reader.within(list) {
                    $0.refuse("no response can be drawn", expected: "at least one weight above 0", found: "0 for each")
                }
            }
        } else if let index = entries.firstIndex(where: { $0.weight != nil }) {
            reader.within(list) { reader in
                reader.within(String(index)) { reader in
                    reader.within("weight") {
                        $0.refuse(
                            "weights apply only to a random choice",
                            expected: "\"select\": \"random\" beside the list",
                            found: nil)
                    }
                }
            }
        }
    }

    /// The responses as `responses` of a stub mapping.
    var entriesJSON: JSONValue {
        .array(
            entries.map { entry in
                guard let weight = entry.weight, case .object(var json) = entry.response.json else {
                    return entry.response.json
                }
                json["weight"] = weight.json
                return .object(json)
            })
    }
}

extension ModelReader {
    /// Reports a problem of a field that is not WireMock's, with all details also for clients of the admin API.
    package mutating func refuse(_ message: String, expected: String, found: String?, suggestion: String? = nil) {
        report(
            detail: message + expecting(expected, found: found, meaning: suggestion), message: message,
            expected: expected, found: found, suggestion: suggestion)
    }

    /// Reads an integer, or a string with one, of a field that is not WireMock's.
    package mutating func wholeNumber(_ value: JSONValue, in range: ClosedRange<Int>, _ what: String) -> Int? {
        if let number = value.intValue ?? value.stringValue.flatMap({ Int($0) }), range.contains(number) {
            return number
        }
        refuse(
            "not \(what)", expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            found: value.shortDescription)
        return nil
    }

    /// Reads one of several names, for a field that is not WireMock's.
    /// - Parameter otherNames: synonyms with the name that they mean.
    package mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ value: JSONValue, _ what: String, otherNames: [String: String] = [:]
    ) -> Value? where Value.RawValue == String {
        if let text = value.stringValue, let choice = Value(rawValue: text) { return choice }
        let names = Value.allCases.map(\.rawValue)
        refuse(
            "not \(what)", expected: "one of \(names.joined(separator: ", "))", found: value.shortDescription,
            suggestion: (value.stringValue ?? value.numberValue?.text).flatMap { otherNames[$0] ?? nearest($0, names) })
        return nil
    }
}

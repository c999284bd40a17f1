// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON
package import SDStubModel
package import SDSecrets

/// What is recorded, and which stubs are made of it.
package struct RecordSpec: Sendable {
    /// The server to record; without it requests reach others by stubs that are there. Only to start.
    package var targetBaseUrl: String?
    /// The exchanges that count: the members of a request pattern, `ids` of requests in the journal, `allowNonProxied`
    /// for answers of stubs; anything else in it is passed over. All that were sent on if absent.
    package var filters: Filters = Filters()
    /// The request headers that the stubs match, such as `{"Accept": {}, "X-Id": {"caseInsensitive": true}}`.
    package var captureHeaders: [(name: String, caseInsensitive: Bool?)] = []
    /// How bodies of requests are matched: `{"matcher": "auto"}`, by content type, if absent; `equalTo`, `equalToJson`
    /// or `equalToXml`, with `ignoreArrayOrder`, `ignoreExtraElements`, `caseInsensitive`.
    package var bodyMatcher: BodyMatcher = BodyMatcher.auto()
    /// The sizes above which bodies become files below `__files`: `textSizeThreshold`, `binarySizeThreshold`, as
    /// numbers or such as `10 KB`. All bodies stay in their stubs if absent.
    package var extraction: Thresholds?
    /// Whether the answer has the stubs, `FULL`, or their ids alone, `IDS`.
    package var answersIDs: Bool = false
    /// Whether the stubs are saved; `true` if absent.
    package var persists: Bool = true
    /// Whether equal requests become a scenario that gives their answers in turn, as they do if absent; otherwise the
    /// last one counts.
    package var repeatsAsScenarios: Bool = true
    /// Names of extensions of WireMock; without effect.
    package var transformers: [String] = []
    /// Parameters of these; without effect.
    package var transformerParameters: JSONObject?
    /// The names of secrets, for files of our own, which have what WireMock leaves out; nil for WireMock's stubs.
    package var secretNames: SecretNames?

    /// Makes one without any member.
    package init() {}
}

extension RecordSpec {
    package static var names: [String] { DialectNames.recordSpec }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .recordSpec, in: DialectNames.recordSpec) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: targetBaseUrl = Self.readTarget(value, &reader)
        case 1: filters = Filters.read(value, &reader)
        case 2: captureHeaders = Self.readHeaders(value, &reader)
        case 3: bodyMatcher = BodyMatcher.read(value, &reader)
        case 4: bodyMatcher = BodyMatcher.read(value, &reader)
        case 5: extraction = Thresholds.read(value, &reader)
        case 6: answersIDs = Self.readFormat(value, &reader)
        case 7: persists = reader.bool(value) ?? true
        case 8: repeatsAsScenarios = reader.bool(value) ?? true
        case 9: transformers = reader.strings(value) ?? []
        case 10: transformerParameters = reader.object(value, .parameters)
        default: break
        }
    }
}

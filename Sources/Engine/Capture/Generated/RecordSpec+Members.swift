// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON
package import SDStubModel
package import SDSecrets

/// Options for what is recorded, and for the resulting stubs.
package struct RecordSpec: Sendable {
    /// The server to record; by default the targets of existing proxy stubs. Only for `start`.
    package var targetBaseUrl: String?
    /// The exchanges to use: the members of a request pattern, `ids` of requests in the journal, `allowNonProxied` for
    /// answers of stubs; other members are ignored. By default all forwarded ones.
    package var filters: Filters = Filters()
    /// The request headers that the stubs match, such as `{"Accept": {}, "X-Id": {"caseInsensitive": true}}`.
    package var captureHeaders: [(name: String, caseInsensitive: Bool?)] = []
    /// The matcher for request bodies: by default `{"matcher": "auto"}`, by content type; `equalTo`, `equalToJson` or
    /// `equalToXml`, with `ignoreArrayOrder`, `ignoreExtraElements`, `caseInsensitive`.
    package var bodyMatcher: BodyMatcher = BodyMatcher.auto()
    /// The sizes above which bodies become files below `__files`: `textSizeThreshold`, `binarySizeThreshold`, as
    /// numbers or text such as `10 KB`. By default all bodies stay in their stubs.
    package var extraction: Thresholds?
    /// Whether the answer contains the stubs, `FULL`, or only their ids, `IDS`.
    package var answersIDs: Bool = false
    /// Whether the stubs are saved; by default `true`.
    package var persists: Bool = true
    /// Whether equal requests become a scenario that gives their answers in turn; by default `true`. Otherwise the last
    /// answer is used.
    package var repeatsAsScenarios: Bool = true
    /// Names of WireMock extensions; no effect.
    package var transformers: [String] = []
    /// Parameters of `transformers`; no effect.
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

package import SDJSON
package import SDSecrets
package import SDStubModel

/// WireMock's `RecordSpec`: what is recorded, and which stubs are made of it.
package struct RecordSpec: Sendable {
    /// The exchanges of which stubs are made.
    package struct Filters: Sendable {
        package var pattern = RequestPattern()
        /// The ids of serve events; nil for all.
        package var ids: [StubMapping.ID]?
        /// Whether answers count that did not come from another server.
        package var allowsNonProxied = false

        package init() {}
    }

    /// The matcher that a request's body becomes.
    package enum BodyMatcher: Sendable, Equatable {
        /// By content type.
        case auto(ignoreArrayOrder: Bool = true, ignoreExtraElements: Bool = true, caseInsensitive: Bool = false)
        case equalTo(caseInsensitive: Bool?)
        case equalToJson(ignoreArrayOrder: Bool?, ignoreExtraElements: Bool?)
        case equalToXml
    }

    /// The sizes above which bodies go into files: texts in UTF-16 units, others in bytes.
    package struct Thresholds: Sendable, Equatable {
        package var text: Int
        package var binary: Int

        package init(text: Int = .max, binary: Int = .max) {
            self.text = text
            self.binary = binary
        }
    }

    /// The server that is recorded; nil if requests reach it by stubs that are there already.
    package var targetBaseUrl: String?
    package var filters = Filters()
    /// The request headers that become matchers, and whether these ignore case.
    package var captureHeaders: [(name: String, caseInsensitive: Bool?)] = []
    package var bodyMatcher = BodyMatcher.auto()
    /// Nil if all bodies stay in their stubs.
    package var extraction: Thresholds?
    /// Whether the answer has the ids alone.
    package var answersIDs = false
    package var persists = true
    /// Whether equal requests become a scenario; otherwise only the last of them counts.
    package var repeatsAsScenarios = true
    /// The names of secrets, for files of our own, which have what WireMock leaves out; nil for WireMock's stubs. No member
    /// of the document.
    package var secretNames: SecretNames?
    /// Of extensions of WireMock, and so without effect.
    package var transformers: [String] = []
    package var transformerParameters: JSONObject?

    package init() {}
}

package import SDStubModel

extension RecordSpec {
    /// The exchanges from which stubs are made.
    package struct Filters: Sendable {
        package var pattern = RequestPattern()
        /// The ids of serve events; nil for all.
        package var ids: [StubMapping.ID]?
        /// Whether answers count that were not proxied.
        package var allowsNonProxied = false

        package init() {}
    }

    /// The matcher for a request's body.
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
}

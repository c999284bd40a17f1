import SDBasics
package import SDCapture
import SDJSON
package import SDSecrets
package import SDStubModel

/// Recorded stubs in WireMock's form, redacted.
package struct RecordedMappings: Sendable {
    /// The stubs in the order in which they are tried.
    package private(set) var stubs: [StubMapping]
    package private(set) var bodyFiles: [RecordedStubs.BodyFile]
    /// Warnings about differences from the recorded traffic, as sentences without a full stop.
    package private(set) var warnings: [String]

    package init(of exchanges: [RecordedExchange], _ names: SecretNames, keepsTiming: Bool) {
        var variants = RecordedVariants()
        self.init(of: exchanges, names, keepsTiming: keepsTiming, &variants)
    }

    /// - Parameters:
    ///   - exchanges: in chronological order, redacted.
    ///   - variants: the variants of other servers whose stubs are served together with these.
    package init(
        of exchanges: [RecordedExchange], _ names: SecretNames, keepsTiming: Bool, _ variants: inout RecordedVariants
    ) {
        var spec = RecordSpec()
        spec.extraction = RecordSpec.Thresholds(text: 10_240, binary: 0)
        spec.secretNames = names
        spec.bodyMatcher = .auto(ignoreArrayOrder: false, ignoreExtraElements: false)
        let recorded = RecordedStubs(of: exchanges.map(\.withOwnPlaces), spec, &variants)
        bodyFiles = recorded.bodyFiles
        warnings = recorded.warnings
        stubs = recorded.mappings.reversed()
        for index in stubs.indices {
            if let file = Self.removeText(of: &stubs[index]) { bodyFiles.append(file) }
            if keepsTiming, index < exchanges.count {
                let milliseconds = Int(exchanges[index].latency / 1_000_000)
                if milliseconds > 0 { stubs[index].response.fixedDelayMilliseconds = milliseconds }
            }
        }
        for index in stubs.indices { stubs[index].insertionIndex = stubs.count - index }
    }
}

extension RecordedMappings {
    /// Moves a text that looks like a template to a file, which is never rendered.
    private static func removeText(of stub: inout StubMapping) -> RecordedStubs.BodyFile? {
        guard let text = stub.response.body, text.contains(text: "{{") else { return nil }
        return RecordedStubs.extractBody(of: &stub, above: RecordSpec.Thresholds(text: 0, binary: 0))
    }
}

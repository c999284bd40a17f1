import SDBasics
package import SDCapture
package import SDMatching
package import SDSecrets
import SDStubModel

/// Stubs of the admin API. They answer like the server, including secrets; the saved forms are redacted.
extension RecordedStubs {
    /// Makes the stubs, and the saved forms of those that contain secrets.
    /// - Parameter filter: the compiled pattern of `spec`.
    package init(
        of exchanges: [RecordedExchange], _ spec: RecordSpec, filter: CompiledPattern? = nil, _ names: SecretNames
    ) {
        let redacted = RedactedExchanges(exchanges, names)
        guard redacted.count > 0 else {
            self.init(of: exchanges, spec, filter: filter)
            return
        }
        var whole = spec
        whole.extraction = nil
        self.init(of: exchanges, whole, filter: filter)
        for index in mappings.indices {
            let id = mappings[index].id
            guard let source = sources[id] else { continue }
            var safe = mappings[index]
            if redacted.isChanged[source] {
                safe.take(redacted.exchanges[source], insteadOf: exchanges[source], spec, names)
            }
            // The file is read again for each response.
            if let sizes = spec.extraction, let file = Self.extractBody(of: &safe, above: sizes) {
                bodyFiles.append(file)
                mappings[index].response.body = nil
                mappings[index].response.base64Body = nil
                mappings[index].response.bodyFileName = file.name
            }
            if safe != mappings[index] { saved[id] = safe }
        }
    }
}

extension RecordedStubs {
    /// The saved forms of the stubs.
    package var withoutSecrets: RecordedStubs {
        var safe = self
        safe.mappings = mappings.map { saved[$0.id] ?? $0 }
        return safe
    }
}

extension StubMapping {
    /// Becomes the stub of a redacted exchange, with the same id.
    fileprivate mutating func take(
        _ exchange: RecordedExchange, insteadOf former: RecordedExchange, _ spec: RecordSpec, _ names: SecretNames
    ) {
        var pattern = RecordedRequest(exchange).pattern(spec).withoutSecrets(names)
        if exchange.target.isRedacted { pattern.expandPath() }
        (pattern.host, pattern.port) = (request.host, request.port)
        request = pattern
        response = exchange.response
        guard exchange.path != former.path else { return }
        name = RecordedName.stub(path: exchange.path)
        let path = (RecordedName.scenario(path: former.path), RecordedName.scenario(path: exchange.path))
        func renamed(_ text: String) -> String {
            guard let range = text.firstRange(ofText: path.0) else { return text }
            return text[..<range.lowerBound] + path.1 + text[range.upperBound...]
        }
        scenarioName = scenarioName.map(renamed)
        requiredScenarioState = requiredScenarioState.map(renamed)
        newScenarioState = newScenarioState.map(renamed)
    }
}

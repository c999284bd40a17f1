package import SDCapture
package import SDSecrets

/// Exchanges whose secrets have become placeholders.
package struct RedactedExchanges: Sendable {
    /// What stands in the place of a secret.
    package static let placeholder = SecretMarks.recorded.text
    /// The same in the XML of a request, where it matches any text.
    package static let anyXMLText = "${xmlunit.ignore}"

    package let exchanges: [RecordedExchange]
    /// The number of secrets that were replaced.
    package let count: Int
    /// Whether secrets of each exchange were replaced.
    package let isChanged: [Bool]

    /// Replaces the secrets of exchanges, of which one may tell those of another.
    package init(_ exchanges: [RecordedExchange], _ names: SecretNames) {
        var secrets = ExchangeSecrets(names)
        let decoded = exchanges.map(\.decoded)
        let read = decoded.map { secrets.learn(plain: $0) }
        var isChanged: [Bool] = []
        self.exchanges = zip(decoded, read).map { exchange, read in
            let count = secrets.count
            defer { isChanged.append(secrets.count > count) }
            return secrets.redacted(exchange, read)
        }
        self.isChanged = isChanged
        count = secrets.count
    }
}

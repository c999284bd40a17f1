package import SDCapture
package import SDSecrets

/// Exchanges with placeholders instead of secrets.
package struct RedactedExchanges: Sendable {
    /// The placeholder for a secret.
    package static let placeholder = SecretMarks.recorded.text
    /// The placeholder in a request's XML, where it matches any text.
    package static let anyXMLText = "${xmlunit.ignore}"

    package let exchanges: [RecordedExchange]
    /// The number of secrets replaced.
    package let count: Int
    /// Whether each exchange had secrets.
    package let isChanged: [Bool]

    /// Redacts exchanges. Secrets found in one are replaced in all.
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

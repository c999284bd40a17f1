import SDBasics
import SDCapture
import SDCommand
import SDRecording
import SDSecrets

/// Writes exchanges as stubs into a folder, secrets redacted: for `record` and `import`.
struct RecordedWriter {
    struct Result {
        var report = RecordedFolder.Report()
        /// The number of secrets replaced by placeholders.
        var secrets = 0
        /// What was done, as lines for people.
        var texts: [String] {
            report.changes.map(\.text) + report.warnings
                + (secrets > 0 ? ["\(secrets.of("secret")) became \(RedactedExchanges.placeholder)"] : [])
        }
    }

    let folder: String
    let format: RecordOptions.Format
    /// The names of secrets.
    let names: SecretNames
    var keepsTiming = false

    /// Writes one file, or a set of mappings, per server.
    /// - Parameters:
    ///   - exchanges: in chronological order.
    ///   - target: the server of an exchange.
    func write(_ exchanges: [RecordedExchange], of target: (RecordedExchange) -> String) -> Result {
        var result = Result()
        let redacted = RedactedExchanges(exchanges, names)
        result.secrets = redacted.count
        var variants = RecordedVariants()
        for (target, exchanges) in Self.grouped(redacted.exchanges, target) {
            let folder = RecordedFolder(path: folder, target: target)
            let report: RecordedFolder.Report
            switch format {
            case .yaml:
                var options = RecordedRoutes.Options()
                options.keepsTiming = keepsTiming
                options.folder = folder.name
                report = folder.write(RecordedRoutes(of: exchanges, names, options, &variants))
            case .wiremock:
                report = folder.write(
                    RecordedMappings(of: exchanges, names, keepsTiming: keepsTiming, &variants))
            }
            result.report.changes += report.changes
            result.report.warnings += report.warnings
            result.report.problems += report.problems
        }
        return result
    }

    /// The exchanges by server; servers in the order of their first exchange.
    private static func grouped(
        _ exchanges: [RecordedExchange], _ target: (RecordedExchange) -> String
    ) -> [(target: String, exchanges: [RecordedExchange])] {
        var groups: [(target: String, exchanges: [RecordedExchange])] = []
        var places: [String: Int] = [:]
        for exchange in exchanges {
            let target = target(exchange)
            if let place = places[target] {
                groups[place].exchanges.append(exchange)
            } else {
                places[target] = groups.count
                groups.append((target, [exchange]))
            }
        }
        return groups
    }
}

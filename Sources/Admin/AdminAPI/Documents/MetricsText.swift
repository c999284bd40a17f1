import SDHTTPMessages
import SDJournal

/// Metrics in the text format of Prometheus (0.0.4) or OpenMetrics (1.0), which differ in few lines.
struct MetricsText {
    enum Form {
        case prometheus, openMetrics

        var contentType: String {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    /// A value with its labels.
    struct Sample {
        let labels: [(name: String, value: String)]
        let value: String

        init(_ value: some BinaryInteger, _ labels: (name: String, value: String)...) {
            self.labels = labels
            self.value = String(value)
        }

        init(seconds: Double) {
            labels = []
            value = String(seconds)
        }
    }

    let form: Form
    private var text = ""

    init(_ form: Form) {
        self.form = form
    }

    /// Adds a gauge.
    /// - Parameters:
    ///   - name: the name with its unit; each family is added once.
    ///   - help: a sentence without a full stop.
    mutating func gauge(_ name: String, _ help: String, _ samples: [Sample]) {
        head(name, "gauge", help)
        for sample in samples { line(name, sample.labels, sample.value) }
    }

    mutating func gauge(_ name: String, _ help: String, _ samples: Sample...) {
        gauge(name, help, samples)
    }

    /// Adds a counter.
    /// - Parameter name: the name without `_total`.
    mutating func counter(_ name: String, _ help: String, _ samples: [Sample]) {
        head(form == .openMetrics ? name : name + "_total", "counter", help)
        for sample in samples { line(name + "_total", sample.labels, sample.value) }
    }

    mutating func counter(_ name: String, _ help: String, _ samples: Sample...) {
        counter(name, help, samples)
    }

    /// Adds a family of durations, by a label's values.
    /// - Parameter name: the name without a unit.
    mutating func durations(
        _ name: String, _ help: String, by label: String, _ all: [(value: String, RequestCounters.Durations)]
    ) {
        let name = name + "_seconds"
        head(name, "histogram", help)
        for (value, durations) in all {
            let labels = [(name: label, value: value)]
            var count: UInt64 = 0
            for (index, more) in durations.counts.enumerated() {
                count += more
                let bounds = RequestCounters.bounds
                let bound = index < bounds.count ? Self.seconds(bounds[index]) : "+Inf"
                line(name + "_bucket", labels + [("le", bound)], String(count))
            }
            line(name + "_sum", labels, Self.seconds(durations.sum))
            line(name + "_count", labels, String(count))
        }
    }

    private static func seconds(_ nanoseconds: UInt64) -> String { String(Double(nanoseconds) / 1_000_000_000) }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(escaped(help, quote: form == .openMetrics))\n# TYPE \(name) \(type)\n"
    }

    private mutating func line(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(escaped($0.value, quote: true))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    private func escaped(_ text: String, quote: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quote: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    var response: PlainResponse {
        PlainResponse(
            status: 200, headers: [("Content-Type", form.contentType)],
            body: Array((form == .openMetrics ? text + "# EOF\n" : text).utf8))
    }
}

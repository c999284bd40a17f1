/// Metrics as a strict reader of Prometheus' text format (0.0.4) or of OpenMetrics (1.0) takes them.
struct MetricsReader {
    struct Family {
        let type: String
        /// The values by their series, such as `name{a="b"}`, in the order of the text.
        var series: [(name: String, labels: [String: String], value: Double)] = []
    }

    private(set) var families: [String: Family] = [:]
    private(set) var names: [String] = []

    struct Mistake: Error, CustomStringConvertible {
        let description: String

        init(_ description: String, in line: Substring) { self.description = "\(description): \(line)" }
    }

    /// - Throws: `Mistake` for what a strict reader refuses.
    init(_ text: String, isOpen: Bool = false) throws {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast() == "" else { throw Mistake("no line feed at the end", in: text.suffix(40)) }
        if isOpen, lines.popLast() != "# EOF" { throw Mistake("no EOF", in: text.suffix(40)) }
        var helped: String?
        for line in lines {
            guard line.hasPrefix("#") else {
                try read(sample: line, isOpen: isOpen)
                continue
            }
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            guard words.count == 4, words[0] == "#", Self.isName(words[2]) else {
                throw Mistake("a stray comment", in: line)
            }
            switch words[1] {
            case "HELP" where helped == nil && !words[3].hasSuffix("."): helped = words[2]
            case "TYPE" where helped == words[2] && families[words[2]] == nil:
                guard ["counter", "gauge", "histogram"].contains(words[3]) else { throw Mistake("a type", in: line) }
                helped = nil
                families[words[2]] = Family(type: words[3])
                names.append(words[2])
            default: throw Mistake("not HELP, then TYPE, once", in: line)
            }
        }
        for name in names { try check(name) }
    }

    /// The value of a series.
    /// - Parameter labels: all of them.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.values.lazy.flatMap(\.series).first { $0.name == name && $0.labels == labels }?.value
    }

    // MARK: Lines

    private mutating func read(sample line: Substring, isOpen: Bool) throws {
        var rest = line
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        guard Self.isName(name) else { throw Mistake("a name", in: line) }
        rest.removeFirst(name.count)
        let labels = rest.first == "{" ? try Self.takeLabels(&rest, in: line) : [:]
        guard rest.first == " ", let value = Double(rest.dropFirst()), !value.isNaN else {
            throw Mistake("a value", in: line)
        }
        guard let family = names.last, let type = families[family]?.type else { throw Mistake("no TYPE", in: line) }
        let isOfFamily =
            switch type {
            case "counter": name == (isOpen ? family + "_total" : family) && name.hasSuffix("_total") && value >= 0
            case "histogram": ["_bucket", "_sum", "_count"].contains { family + $0 == name }
            default: name == family
            }
        guard isOfFamily else { throw Mistake("not of \(type) \(family)", in: line) }
        let isTwice = families[family]?.series.contains { $0.name == name && $0.labels == labels } == true
        guard !isTwice else { throw Mistake("twice", in: line) }
        families[family]?.series.append((name, labels, value))
    }

    private static func takeLabels(_ rest: inout Substring, in line: Substring) throws -> [String: String] {
        var labels: [String: String] = [:]
        repeat {
            rest.removeFirst()
            let name = String(rest.prefix { $0 != "=" })
            rest.removeFirst(name.count)
            guard isName(name), !name.contains(":"), rest.hasPrefix("=\"") else { throw Mistake("a label", in: line) }
            rest.removeFirst(2)
            var value = ""
            while let next = rest.popFirst(), next != "\"" {
                guard next == "\\" else {
                    value.append(next)
                    continue
                }
                switch rest.popFirst() {
                case "n": value.append("\n")
                case "\\": value.append("\\")
                case "\"": value.append("\"")
                default: throw Mistake("an escape", in: line)
                }
            }
            guard labels.updateValue(value, forKey: name) == nil else { throw Mistake("a label twice", in: line) }
        } while rest.first == ","
        guard rest.popFirst() == "}" else { throw Mistake("labels without an end", in: line) }
        return labels
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x5f || $0 == 0x3a
        }
    }

    // MARK: Histograms

    private func check(_ name: String) throws {
        guard let family = families[name], family.type == "histogram" else { return }
        var before: [[String: String]: (bound: Double, count: Double)] = [:]
        for (part, labels, value) in family.series where part.hasSuffix("_bucket") {
            var labels = labels
            guard let bound = labels.removeValue(forKey: "le").flatMap({ $0 == "+Inf" ? .infinity : Double($0) }) else {
                throw Mistake("a bucket without le", in: name[...])
            }
            if let (last, count) = before[labels], bound <= last || value < count {
                throw Mistake("buckets that do not grow", in: name[...])
            }
            before[labels] = (bound, value)
        }
        for (labels, last) in before {
            guard last.bound == .infinity, self.value(name + "_count", labels) == last.count,
                let sum = self.value(name + "_sum", labels), sum >= 0
            else { throw Mistake("no +Inf, count and sum that agree", in: name[...]) }
        }
    }
}

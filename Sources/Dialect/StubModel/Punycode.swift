/// Host names with letters beyond ASCII as browsers send them: `xn--mnchen-3ya.example` for `münchen.example` (RFC 3492, RFC
/// 5891).
enum Punycode {
    /// A name in ASCII; nil if that cannot be told, as of letters with marks of their own.
    static func host(_ name: String) -> String? {
        var labels: [String] = []
        for label in name.lowercased().split(separator: ".", omittingEmptySubsequences: false) {
            guard !label.utf8.allSatisfy({ $0 < 0x80 }) else {
                labels.append(String(label))
                continue
            }
            let scalars = Array(label.unicodeScalars)
            guard scalars.allSatisfy({ $0.properties.canonicalCombiningClass == .notReordered }),
                let encoded = encode(scalars)
            else { return nil }
            labels.append("xn--" + encoded)
        }
        return labels.joined(separator: ".")
    }

    private static let (base, least, most) = (36, 1, 26)

    /// Section 6.3.
    private static func encode(_ scalars: [Unicode.Scalar]) -> String? {
        let basic = scalars.filter(\.isASCII)
        var text = String(String.UnicodeScalarView(basic)) + (basic.isEmpty ? "" : "-")
        var (next, delta, bias, handled) = (128, 0, 72, basic.count)
        while handled < scalars.count {
            guard let lowest = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= next }).min() else { return nil }
            let (step, isTooLarge) = (lowest - next).multipliedReportingOverflow(by: handled + 1)
            guard !isTooLarge else { return nil }
            delta += step
            next = lowest
            for scalar in scalars {
                if Int(scalar.value) < next { delta += 1 }
                guard Int(scalar.value) == next else { continue }
                var rest = delta
                var place = base
                while true {
                    let threshold = min(max(place - bias, least), most)
                    if rest < threshold { break }
                    text.append(digit(threshold + (rest - threshold) % (base - threshold)))
                    rest = (rest - threshold) / (base - threshold)
                    place += base
                }
                text.append(digit(rest))
                bias = adapted(delta, handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return text
    }

    private static func digit(_ value: Int) -> Character {
        Character(Unicode.Scalar(UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)))
    }

    /// Section 6.1.
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var place = 0
        while delta > (base - least) * most / 2 {
            delta /= base - least
            place += base
        }
        return place + (base - least + 1) * delta / (delta + 38)
    }
}

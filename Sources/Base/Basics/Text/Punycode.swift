/// Punycode (RFC 3492), the ASCII form of host name labels with other letters, without its prefix `xn--`.
package enum Punycode {
    /// Encodes a label.
    package static func encoded(_ label: [Unicode.Scalar]) -> [UInt8] {
        var bytes = label.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
        let plain = bytes.count
        if plain > 0 { bytes.append(UInt8(ascii: "-")) }
        var handled = plain
        var current = 128
        var delta = 0
        var bias = 72
        while handled < label.count {
            let next = label.lazy.map { Int($0.value) }.filter { $0 >= current }.min() ?? current
            delta += (next - current) * (handled + 1)
            current = next
            for scalar in label {
                if Int(scalar.value) < current { delta += 1 }
                guard Int(scalar.value) == current else { continue }
                append(delta, bias, to: &bytes)
                bias = adapted(delta, handled + 1, isFirst: handled == plain)
                delta = 0
                handled += 1
            }
            delta += 1
            current += 1
        }
        return bytes
    }

    private static func append(_ number: Int, _ bias: Int, to bytes: inout [UInt8]) {
        var rest = number
        var step = 36
        while true {
            let threshold = max(1, min(26, step - bias))
            if rest < threshold { return bytes.append(digit(rest)) }
            bytes.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            step += 36
        }
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 97 : value - 26 + 48)
    }

    /// Decodes a label; nil if it is not Punycode.
    package static func decoded(_ label: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        let mark = label.lastIndex(of: UInt8(ascii: "-"))
        var decoded = (mark.map { label[..<$0] } ?? []).map { Unicode.Scalar($0) }
        var rest = mark.map { label[($0 + 1)...] } ?? label
        guard mark != label.startIndex, !rest.isEmpty, decoded.allSatisfy(\.isASCII) else { return nil }
        var place = 0
        var current = 128
        var bias = 72
        let plain = decoded.count
        while !rest.isEmpty {
            let start = place
            guard let delta = number(&rest, bias, from: place) else { return nil }
            place = delta
            let count = decoded.count + 1
            bias = adapted(place - start, count, isFirst: decoded.count == plain)
            current += place / count
            place %= count
            guard current < 0x11_0000, let scalar = Unicode.Scalar(UInt32(current)) else { return nil }
            decoded.insert(scalar, at: place)
            place += 1
        }
        return decoded
    }

    /// Reads a variable-length number and adds it to `place`; nil if digits are missing or it overflows.
    private static func number(_ rest: inout ArraySlice<UInt8>, _ bias: Int, from place: Int) -> Int? {
        var place = place
        var weight = 1
        var step = 36
        while true {
            guard let byte = rest.popFirst() else { return nil }
            let digit = byte &- 48 < 10 ? Int(byte) - 48 + 26 : Int(byte | 0x20) - 97
            guard (0..<36).contains(digit) else { return nil }
            place += digit * weight
            guard place < 1 << 32 else { return nil }
            let threshold = max(1, min(26, step - bias))
            if digit < threshold { return place }
            weight *= 36 - threshold
            guard weight < 1 << 32 else { return nil }
            step += 36
        }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}

import SDJSON
import SDTestSupport

enum RandomJSON {
    static func value(depth: Int, using generator: inout TestGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .number(JSONNumber(Int(truncatingIfNeeded: generator.next())))
        case 3: return .number(JSONNumber(Double(bitPattern: generator.next())) ?? JSONNumber(0))
        case 4, 5: return .string(text(using: &generator))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<6, using: &generator)).map { _ in value(depth: depth - 1, using: &generator) })
        default:
            let pairs = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
                (text(using: &generator), value(depth: depth - 1, using: &generator))
            }
            return .object(JSONObject(pairs))
        }
    }

    static func text(using generator: inout TestGenerator) -> String {
        let alphabet: [Unicode.Scalar] = [
            "a", "b", " ", "\"", "\\", "/", "\u{0}", "\u{1F}", "\u{7F}", "\n", "\t", "é", "e", "\u{301}", "ß",
            "\u{2028}",
            "漢", "😀", "\u{FEFF}", "\u{FFFD}", "'", "{", "]", ":", "#",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            text.append(alphabet.randomElement(using: &generator) ?? "a")
        }
        return String(text)
    }

    /// Changes, removes, repeats or moves some bytes.
    static func mutate(_ bytes: [UInt8], using generator: inout TestGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 3 where place < bytes.count:
                let end = min(bytes.count, place + Int.random(in: 1...8, using: &generator))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
            default: break
            }
        }
        return bytes
    }
}

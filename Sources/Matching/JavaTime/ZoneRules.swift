/// The clock changes of a region, read from a TZif file (RFC 8536).
public struct ZoneRules: Sendable {
    struct Kind: Sendable, Equatable {
        let seconds: Int
        let isDaylight: Bool
        let abbreviation: String
    }

    private let times: [Int]
    private let kinds: [Kind]
    private let initial: Kind
    private let footer: RecurringRule?

    /// Parses a TZif file; nil if the bytes are invalid.
    init?(tzif bytes: [UInt8]) {
        guard let head = Header(bytes, at: 0) else { return nil }
        var data = head
        if head.version >= UInt8(ascii: "2") {
            guard let second = Header(bytes, at: head.end(timeSize: 4)) else { return nil }
            data = second
        }
        let size = data.version >= UInt8(ascii: "2") && data.start > 0 ? 8 : 4
        let end = data.end(timeSize: size)
        guard end <= bytes.count, data.typeCount > 0 else { return nil }
        var at = data.start + 44
        let times = (0..<data.timeCount).map { Self.number(bytes, at + $0 * size, size) }
        at += data.timeCount * size
        let indices = bytes[at..<at + data.timeCount].map(Int.init)
        at += data.timeCount
        let names = at + data.typeCount * 6
        var types: [Kind] = []
        for type in 0..<data.typeCount {
            let place = at + type * 6
            let name = bytes[min(names + Int(bytes[place + 5]), names + data.nameCount)..<names + data.nameCount]
            let offset = Self.number(bytes, place, 4)
            guard abs(offset) < 93_600 else { return nil }
            types.append(
                Kind(
                    seconds: offset, isDaylight: bytes[place + 4] != 0,
                    abbreviation: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
        }
        guard indices.allSatisfy({ $0 < types.count }), zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return nil
        }
        self.times = times
        kinds = indices.map { types[$0] }
        initial = types[0]
        footer =
            size == 8 && end < bytes.count
            ? RecurringRule(bytes[(end + 1)...].prefix { $0 != UInt8(ascii: "\n") }) : nil
    }

    /// Parses a POSIX `TZ` rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil if the text is invalid.
    init?(posix text: String) {
        guard let rule = RecurringRule(Array(text.utf8)[...]) else { return nil }
        times = []
        kinds = []
        initial = rule.standard
        footer = rule
    }

    func offset(at second: Int) -> Kind {
        var low = 0
        var high = times.count
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= second { low = middle + 1 } else { high = middle }
        }
        if low == times.count, let footer { return footer.kind(at: second) }
        return low == 0 ? initial : kinds[low - 1]
    }

    /// The offsets in force around a clock time, the one before a change first.
    func offsets(around local: Int) -> [Int] {
        let step = 3 * 3600
        return stride(from: -9, through: 9, by: 1).map { offset(at: local &+ $0 * step).seconds }
            .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ size: Int) -> Int {
        let raw = bytes[at..<at + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Int(Int32(truncatingIfNeeded: raw)) : Int(Int64(bitPattern: raw))
    }

    private struct Header {
        let start: Int
        let version: UInt8
        let timeCount, typeCount, nameCount, leapCount, standardCount, universalCount: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start + 44 <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
            self.start = start
            version = bytes[start + 4]
            let counts = (0..<6).map { number(bytes, start + 20 + $0 * 4, 4) }
            guard counts.allSatisfy({ (0...1_000_000).contains($0) }) else { return nil }
            (universalCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
            (timeCount, typeCount, nameCount) = (counts[3], counts[4], counts[5])
            guard end(timeSize: 4) <= bytes.count else { return nil }
        }

        func end(timeSize: Int) -> Int {
            start + 44 + timeCount * (timeSize + 1) + typeCount * 6 + nameCount + leapCount * (timeSize + 4)
                + standardCount + universalCount
        }
    }
}

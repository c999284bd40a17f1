/// The ranges requested by `Range`. As in WireMock, an unknown unit or malformed value requests ranges that do not
/// exist.
struct ByteRanges {
    /// The ranges in order, without overlaps.
    let ranges: [Range<Int>]

    /// The largest number of ranges in a request.
    private static let most = 100

    init(_ text: String, of size: Int) {
        let unit = "bytes="
        guard text.hasPrefix(unit) else {
            ranges = []
            return
        }
        var asked: [Range<Int>] = []
        for part in text.dropFirst(unit.count).split(separator: ",").prefix(Self.most) {
            if let range = Self.range(part.filter { $0 != " " && $0 != "\t" }, of: size) { asked.append(range) }
        }
        var merged: [Range<Int>] = []
        for range in asked.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }

    /// Parses `2-4`, `2-` or `-2`; nil for anything else, and for a range outside of the file.
    private static func range(_ text: String, of size: Int) -> Range<Int>? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let count = number(ends[1]), count > 0, size > 0 else { return nil }
            return max(0, size - count)..<size
        }
        guard let first = number(ends[0]), first < size else { return nil }
        if ends[1].isEmpty { return first..<size }
        guard let last = number(ends[1]), last >= first else { return nil }
        return first..<min(last, size - 1) + 1
    }

    /// Parses digits; a number that is too large becomes the largest one.
    private static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }
}

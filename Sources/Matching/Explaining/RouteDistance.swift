import SDMatching

/// The distance of a path from a path template for a person, who ignores the length of a variable's value: by
/// WireMock's measure, `/user/` with an id of 60 characters has almost nothing in common with `/users/{id}`.
public enum RouteDistance {
    /// The maximum number of parts, and the maximum length of one; anything beyond is another route.
    private static let (maxParts, longestPart) = (32, 200)

    /// From 0 (only variables differ) to 1.
    public static func of(_ path: ArraySlice<UInt8>, from template: ArraySlice<UInt8>) -> Double {
        let (path, template) = (parts(path), parts(template))
        guard path.count <= maxParts, template.count <= maxParts else { return 1 }
        // For the parts before each position of the path: the minimum number of edits to the template's parts, and the
        // compared size.
        var rows = [[Cost]](
            repeating: [Cost](repeating: Cost(), count: path.count + 1), count: template.count + 1)
        for (row, part) in template.enumerated() { rows[row + 1][0] = rows[row][0] + left(out: part) }
        for (column, part) in path.enumerated() { rows[0][column + 1] = rows[0][column] + left(out: part) }
        for (row, wanted) in template.enumerated() {
            for (column, part) in path.enumerated() {
                rows[row + 1][column + 1] = min(
                    rows[row][column] + replaced(wanted, by: part), rows[row][column + 1] + left(out: wanted),
                    rows[row + 1][column] + left(out: part))
            }
        }
        return rows[template.count][path.count].share
    }

    private struct Cost: Comparable {
        var edits = 0
        var size = 0

        /// The differing share.
        var share: Double { size == 0 ? 0 : Double(edits) / Double(size) }

        static func + (one: Cost, other: Cost) -> Cost {
            Cost(edits: one.edits + other.edits, size: one.size + other.size)
        }

        static func < (one: Cost, other: Cost) -> Bool { (one.edits, -one.size) < (other.edits, -other.size) }
    }

    private static func parts(_ path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        path.split(separator: UInt8(ascii: "/"))
    }

    /// The texts before and after the variables of a part; nil for a part without variables.
    private static func literals(of part: ArraySlice<UInt8>) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>)? {
        if part.elementsEqual("**".utf8) { return ([], []) }
        guard let first = part.firstIndex(of: UInt8(ascii: "{")), let last = part.lastIndex(of: UInt8(ascii: "}")),
            first < last
        else { return nil }
        return (part[..<first], part[(last + 1)...])
    }

    /// A part that the other side lacks, with its slash; a long one counts little more than a word.
    private static func left(out part: ArraySlice<UInt8>) -> Cost {
        let size = 1 + (literals(of: part) == nil ? min(part.count, 8) : 1)
        return Cost(edits: size, size: size)
    }

    private static func replaced(_ wanted: ArraySlice<UInt8>, by part: ArraySlice<UInt8>) -> Cost {
        guard let (before, after) = literals(of: wanted) else {
            return Cost(edits: edits(wanted, part), size: max(wanted.count, part.count) + 1)
        }
        let (begin, end) = (part.prefix(before.count), part.suffix(after.count))
        return Cost(edits: edits(before, begin) + edits(after, end), size: before.count + after.count)
    }

    private static func edits(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Int {
        let longer = max(one.count, other.count)
        guard longer <= longestPart else { return one == other ? 0 : longer }
        var steps = EditDistance.Allowance()
        return Int((EditDistance.normalised(one, other, &steps) * Double(longer)).rounded())
    }
}

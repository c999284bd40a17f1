// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A log-normally distributed delay, as of real servers: many near the median, a few much longer.
package struct LognormalDelay: Sendable {
    /// The median: half of the delays are shorter.
    package var median: Int?
    /// The spread, such as 0.4.
    package var sigma: Double?
    /// The maximum delay; by default unlimited.
    package var max: Int?

    init() {}
}

extension LognormalDelay {
    package static var names: [String] { DialectNames.lognormal }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{median: 80ms, sigma: 0.4}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["median", "sigma"], in: object, "{median: 80ms, sigma: 0.4}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.lognormal) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: median = DurationText.read(value, &reader)
        case 1: sigma = Self.readSigma(value, &reader)
        case 2: max = DurationText.read(value, &reader)
        default: break
        }
    }
}

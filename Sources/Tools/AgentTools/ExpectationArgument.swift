import SDBasics
import SDJSON

/// Errors in the expectations of `verify`, with corrected forms.
enum ExpectationArgument {
    private static let bounds = ["exactly", "atLeast", "atMost"]

    /// The corrected form of expectations given as texts, or as anything else.
    @Sendable static func example(_ given: JSONValue) -> String {
        let texts = (given.arrayValue ?? [given]).compactMap(\.stringValue)
        let shown = texts.prefix(3).map { written($0).compactText }
        let list = shown.isEmpty ? [written("POST /orders").compactText] : shown
        return "write expectations: [\(list.joined(separator: ", "))]"
    }

    /// `POST /orders` as an expectation.
    private static func written(_ text: String) -> JSONValue {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let path = Printable.line((words.last ?? "/").prefix(200))
        let name = path.contains("?") ? "url" : "urlPath"
        guard words.count == 2 else { return ["pattern": .object([name: .string(path)])] }
        let method = Printable.line(words[0].prefix(20)).uppercased()
        return ["pattern": .object(["method": .string(method), name: .string(path)])]
    }

    /// - Throws: the problem with the number of requests.
    static func check(_ given: JSONObject, at index: Int) throws(ToolProblem) {
        let place = "expectations[\(index)]"
        if let name = bounds.first(where: { given[$0] != nil }) {
            throw ToolProblem(
                "\(place): \(name) stands outside of count",
                fix: "write \"count\": \(counted(name, given[name])) beside the pattern", nearest: "count")
        }
        guard let count = given["count"], !count.isNull else { return }
        guard let members = count.objectValue else {
            if let number = count.intValue, number >= 0 { return }
            throw ToolProblem(
                "\(place).count: expected a whole number, or an object with exactly, atLeast or atMost, found "
                    + count.shortDescription, fix: "write \"count\": \(whole(count) ?? 1)")
        }
        for member in members.members {
            guard bounds.contains(member.key) else {
                let nearest = meantName(by: member.key, among: bounds)
                throw ToolProblem(
                    "\(place).count has no \(quoted(member.key)); it takes exactly, atLeast and atMost",
                    fix: "write \"count\": \(counted(nearest ?? "exactly", member.value))", nearest: nearest)
            }
            if let number = member.value.intValue, number >= 0 { continue }
            throw ToolProblem(
                "\(place).count.\(member.key): expected a whole number from 0 on, found "
                    + member.value.shortDescription,
                fix: "write \"count\": \(counted(member.key, member.value))")
        }
    }

    /// `{"exactly": 2}`, with the number that a value probably means.
    private static func counted(_ name: String, _ value: JSONValue?) -> String {
        "{\"\(name)\": \(value.flatMap(whole) ?? 1)}"
    }

    /// The number of requests that a value means; nil if it is not a number.
    private static func whole(_ value: JSONValue) -> Int? {
        let number = value.intValue ?? value.stringValue.flatMap { Int($0) }
        return number.flatMap { $0 >= 0 ? $0 : nil }
    }
}

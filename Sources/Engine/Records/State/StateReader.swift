import SDBasics
package import SDJSON
package import SDMatching
import SDStubModel
package import SDTemplating

/// Parses a stub's use of the session's state, and collects the problems.
package struct StateReader {
    package private(set) var problems: [ServingProblem] = []
    private var path: [String] = []

    package init(at path: [String] = []) {
        self.path = path
    }

    package mutating func within<Result>(_ tokens: [String], _ read: (inout StateReader) -> Result) -> Result {
        path += tokens
        defer { path.removeLast(tokens.count) }
        return read(&self)
    }

    /// - Parameter name: what was found there; nil if that is of no help.
    package mutating func report(_ message: String, at tokens: [String], name: String? = nil) {
        let found = name.map { $0.isEmpty ? "" : ", found `\($0)`" } ?? ""
        problems.append(ServingProblem(pointer: JSONPointer(path + tokens), message: message + found))
    }

    package mutating func report(_ found: [ServingProblem]) { problems += found }

    /// The path of the current value.
    package var pointer: JSONPointer { JSONPointer(path) }

    /// Reports unknown members.
    package mutating func check(_ object: JSONObject, known: [String]) {
        for key in object.keys where !known.contains(key) {
            let nearest = didYouMean(nearestName(to: key, among: known))
            report("`\(key)` is unknown: expected one of \(known.joined(separator: ", "))\(nearest)", at: [key])
        }
    }

    /// The template in a text; a number or a boolean counts as its text.
    /// - Parameter member: the name of the value; nil for the current one.
    package mutating func template(_ json: JSONValue?, at member: String?) -> Template? {
        let place = member.map { [$0] } ?? []
        let text: String
        switch json {
        case .string(let value)?: text = value
        case .number(let number)?: text = number.text
        case .bool(let value)?: text = value ? "true" : "false"
        case nil, .null?:
            report("`\(member ?? "")` is missing", at: [])
            return nil
        case .array?, .object?:
            report("a text was expected, not \(json?.shortDescription ?? "")", at: place)
            return nil
        }
        do {
            return try Template(text)
        } catch {
            report("the template cannot be read: at \(error)", at: place)
            return nil
        }
    }
}

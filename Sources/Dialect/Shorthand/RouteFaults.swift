import SDJSON
import SDStubModel

/// Named fault sets in a routes file, beside routes or alone: `chaos: { flaky-mobile: [ … ] }`. A session switches them
/// on and off.
enum RouteFaults {
    static let key = RouteKey.faultsKey

    /// Whether an object has fault sets.
    static func isIn(_ object: JSONObject) -> Bool { object[key]?.objectValue != nil }

    /// Reads the fault sets of a document; leaves out invalid ones.
    static func read(_ json: JSONValue, _ reader: inout ModelReader) -> [FaultSet] {
        guard let sets = json[key]?.objectValue else { return [] }
        return reader.within(key) { reader in
            if sets.isEmpty {
                reader.report(
                    detail: nil, message: "no sets of faults", expected: "names, each with a list of faults")
            }
            return sets.members.compactMap { member in
                reader.within(member.key) { read(member, &$0) }
            }
        }
    }

    private static func read(_ member: JSONObject.Member, _ reader: inout ModelReader) -> FaultSet? {
        let known = reader.problems.count
        let json: JSONValue
        switch member.value {
        case .array(let elements):
            json = .array(
                elements.enumerated().map { index, element in
                    reader.within(String(index)) { withPattern(element, &$0) }
                })
        case let value: json = withPattern(value, &reader)
        }
        let faults = SessionFault.readAll(json, &reader)
        return reader.problems.count == known ? FaultSet(name: member.key, faults: faults) : nil
    }

    /// The fault with its `route` converted to a pattern in `request`.
    private static func withPattern(_ json: JSONValue, _ reader: inout ModelReader) -> JSONValue {
        guard case .object(var object) = json, let route = object["route"] else { return json }
        object["route"] = nil
        if let name = object.keys.first(where: SessionFault.earlyNames.contains) {
            reader.reportName(
                "route", message: "\"\(name)\" acts before there is a request", expected: "no route beside it")
            return .object(object)
        }
        let pattern = reader.within("route") { reader -> JSONValue? in
            if object["request"] != nil {
                reader.report(detail: nil, message: "\"route\" beside \"request\"", expected: "one of the two")
                return nil
            }
            guard let text = reader.text(route) else { return nil }
            do throws(RouteKey.Failure) {
                let key = try RouteKey(text)
                var request = RequestPattern(method: key.method, url: key.url)
                request.queryParameters = key.query
                return request.json
            } catch {
                reader.report(
                    detail: nil, message: error.message, expected: error.expected, found: error.found,
                    suggestion: error.suggestion)
                return nil
            }
        }
        if let pattern { object["request"] = pattern }
        return .object(object)
    }
}

import JSON

/// What stands under `when` in the route shorthand.
enum RouteConditions {
    private static let keys = ["headers", "query"]

    static func read(_ value: JSONValue, into request: inout RequestPattern, _ reader: inout ModelReader) {
        guard case .object(let object) = value else {
            reader.report(
                detail: nil, message: "wrong type", expected: "an object with headers and query",
                found: value.shortDescription)
            return
        }
        let otherNames = ["queryParameters": "query", "params": "query", "header": "headers"]
        for member in object.members {
            reader.key(member, of: keys, otherNames: otherNames) { reader in
                let matchers = readMatchers(member.value, &reader)
                if member.key == "headers" {
                    request.headers = matchers
                } else {
                    let named = Set(matchers.map(\.name))
                    for name in request.queryParameters.map(\.name) where named.contains(name) {
                        reader.within(name) {
                            $0.report(
                                detail: nil, message: "this parameter stands in the route's key already",
                                expected: "each parameter in one place")
                        }
                    }
                    request.queryParameters += matchers
                }
            }
        }
    }

    private static func readMatchers(_ value: JSONValue, _ reader: inout ModelReader) -> [NamedMatcher] {
        guard case .object(let object) = value else {
            reader.report(
                detail: nil, message: "wrong type", expected: "an object of names and values or matchers",
                found: value.shortDescription)
            return []
        }
        var matchers: [NamedMatcher] = []
        for member in object.members {
            reader.within(member.key) { reader in
                switch member.value {
                case .string, .number, .bool:
                    matchers.append(NamedMatcher(member.key, ValueMatcher(.equalTo, reader.text(member.value) ?? "")))
                case .null:
                    reader.report(
                        detail: nil, message: "no value", expected: "a text, or a matcher such as {absent: true}",
                        found: "null")
                case .object, .array:
                    if let matcher = ValueMatcher.read(member.value, .multiValue, &reader) {
                        matchers.append(NamedMatcher(member.key, matcher))
                    }
                }
            }
        }
        return matchers
    }
}

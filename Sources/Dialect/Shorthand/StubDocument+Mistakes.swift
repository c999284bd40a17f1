import SDBasics
public import SDJSON
public import SDStubModel

/// Detects documents without stubs from which their authors probably expect answers. Other documents without stubs,
/// such as `package.json`, are ignored.
extension StubDocument {
    /// The mistake in a document that would be skipped, and the correct notation; nil for an unrelated document.
    public static func mistake(in json: JSONValue) -> ModelProblem? {
        // A MockServer file has one expectation, or a list of them.
        let first = json.arrayValue?.first?.objectValue
        guard let object = json.objectValue ?? first else { return nil }
        if object["httpRequest"] != nil {
            let place = (first == nil ? [] : ["0"]) + ["httpRequest"]
            return ModelProblem(
                pointer: JSONPointer(place), isAboutName: true,
                message: "an expectation of MockServer is not read, so nothing of it is served",
                expected: "a route such as \"\(route(ofExpectation: object)): {status: 200}\", or a stub with "
                    + "\"request\" and \"response\"")
        }
        if first != nil { return nil }
        return otherFormat(object) ?? wrapped(object) ?? withoutMethod(object) ?? records(object)
    }

    private static func route(ofExpectation object: JSONObject) -> String {
        let request = object["httpRequest"]
        let path = request?["path"]?.stringValue ?? "/path"
        return "\(request?["method"]?.stringValue?.uppercased() ?? "GET") \(path)"
    }

    /// A document of another tool.
    private static func otherFormat(_ object: JSONObject) -> ModelProblem? {
        let route = operation(object) ?? "GET /path"
        let routes = "routes such as \"\(route): {status: 200}\""
        func problem(_ key: String, _ message: String, _ right: String? = nil) -> ModelProblem {
            ModelProblem(
                pointer: JSONPointer([key]), isAboutName: true, message: message + ", so nothing of it is served",
                expected: right ?? routes)
        }
        for key in ["openapi", "swagger"] where isVersion(object[key]) {
            return problem(
                key, "an OpenAPI document without paths", "paths with operations, such as paths: {/pets: {get: {…}}}")
        }
        if object["info"]?["_postman_id"] != nil
            || object["info"]?["schema"]?.stringValue?.contains(text: "postman") == true
        {
            return problem("info", "a Postman collection is not read")
        }
        if object["messageMappings"]?.arrayValue != nil || object["trigger"] != nil && object["actions"] != nil {
            return problem(
                object["trigger"] == nil ? "messageMappings" : "trigger",
                "message stubs outside of the folder message-mappings are not read", "the file below message-mappings/")
        }
        if object["imposters"]?.arrayValue != nil {
            return problem("imposters", "imposters of mountebank are not read")
        }
        if object["log"]?["entries"]?.arrayValue != nil {
            return problem("log", "a HAR file is not read", "the stubs that `stuntdouble import har` makes of it")
        }
        if object["routes"]?.arrayValue?.first?["endpoint"] != nil, object["endpointPrefix"] != nil {
            return problem("routes", "an environment of Mockoon is not read")
        }
        return nil
    }

    private static func isVersion(_ value: JSONValue?) -> Bool {
        value?.stringValue != nil || value?.numberValue != nil
    }

    /// The first operation of an OpenAPI document, or of a Mockoon environment, as a route.
    private static func operation(_ object: JSONObject) -> String? {
        if let route = object["routes"]?.arrayValue?.first, let endpoint = route["endpoint"]?.stringValue {
            let words =
                [object["endpointPrefix"]?.stringValue ?? ""]
                + endpoint.split(separator: "/").map { part in
                    part.hasPrefix(":") ? "{\(part.dropFirst())}" : String(part)
                }
            let method = route["method"]?.stringValue.map { $0.uppercased() } ?? ""
            let path = words.filter { !$0.isEmpty }.map { "/" + $0 }.joined()
            return (RouteKeySpelling.isMethod(method) ? method : "GET") + " " + path
        }
        guard let path = object["paths"]?.objectValue?.members.first, path.key.hasPrefix("/") else { return nil }
        let method = path.value.objectValue?.keys.first { RouteKeySpelling.isMethod($0) }
        return "\(method?.uppercased() ?? "GET") \(path.key)"
    }

    /// Names of route lists in other tools.
    private static let listNames: Set = [
        "routes", "stubs", "endpoints", "mocks", "mock", "requests", "expectations", "rules", "handlers",
    ]

    /// Stubs or routes nested under their own key.
    private static func wrapped(_ object: JSONObject) -> ModelProblem? {
        guard let member = object.members.first(where: { holdsStubs($0.value, isNamed: listNames.contains($0.key)) })
        else { return nil }
        let isList = member.value.arrayValue != nil
        let right =
            isList
            ? "the list itself, a list under \"mappings\", or routes such as \"GET /path: {status: 200}\""
            : "the routes themselves at the beginning of the lines"
        return ModelProblem(
            pointer: JSONPointer([member.key]), isAboutName: true,
            message:
                "no part of a stub file, so nothing under it is served",
            expected: right)
    }

    /// - Parameter isNamed: whether its name suggests stubs, so that less evidence is needed.
    private static func holdsStubs(_ value: JSONValue, isNamed: Bool) -> Bool {
        switch value {
        case .object(let object):
            return RouteShorthand.isShorthand(object) || object["mappings"] != nil
                || isNamed && reasonToSkip(value) == nil
        case .array(let elements):
            if isNamed {
                return !elements.isEmpty && elements.allSatisfy { $0.objectValue != nil || $0.stringValue != nil }
            }
            return elements.contains { element in
                guard let object = element.objectValue else { return false }
                return RouteShorthand.isShorthand(object) || object["request"] != nil && object["response"] != nil
            }
        default: return false
        }
    }

    /// Responses under names that are not routes: `users: {json: 1}`.
    private static func withoutMethod(_ object: JSONObject) -> ModelProblem? {
        let members = object.members.filter { $0.key != "$schema" && !RouteShorthand.isSharedValue($0.key) }
        let isResponses = members.allSatisfy { member in
            guard let response = member.value.objectValue, !response.members.isEmpty else { return false }
            return response.keys.allSatisfy(RouteShorthand.responseKeys.contains)
                && response.keys.contains { $0 == "status" || RouteShorthand.bodyKeys.contains($0) }
        }
        guard let first = members.first, isResponses else { return nil }
        return ModelProblem(
            pointer: JSONPointer([first.key]), isAboutName: true,
            message: "no route, so nothing is served for it",
            expected: "a method and a path", suggestion: "GET /\(first.key)")
    }

    /// json-server's `db.json`: named lists of records.
    private static func records(_ object: JSONObject) -> ModelProblem? {
        let members = object.members.filter { $0.key != "$schema" }
        let isData = members.allSatisfy { member in
            guard let elements = member.value.arrayValue else { return member.value.objectValue != nil }
            return elements.allSatisfy { $0.objectValue != nil }
        }
        let list = members.first { $0.value.arrayValue?.first?["id"] != nil }
        guard isData, let list else { return nil }
        return ModelProblem(
            pointer: JSONPointer([list.key]), isAboutName: true,
            message: "records like those of json-server's db.json are served only from a file in __files",
            expected: "the file there, and here a route for each list, such as \"CRUD /\(list.key): db.json\"")
    }
}

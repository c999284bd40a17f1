import SDJSON
import SDStubModel

extension Stub.Answer: CustomStringConvertible {
    /// The answer in the kit's notation: `.json({"id":7}, status: 201).delay(80 ms).times(2)`.
    public var description: String {
        let response = definition.json.objectValue ?? JSONObject()
        var text = beginning
        for member in response.members where !Self.told.contains(member.key) {
            text += change(member.key, member.value)
        }
        if let count { text += ".times(\(count))" }
        if let drawingWeight { text += ".weight(\(drawingWeight))" }
        if let problem { text += " (\(problem))" }
        return text
    }

    /// The members that the static member already shows.
    private static let told: Set = ["status", "body", "jsonBody", "base64Body", "bodyFileName"]

    private var beginning: String {
        let status = definition.status == 200 ? "" : ", status: \(definition.status)"
        if let body = definition.jsonBody { return ".json(\(LanguageText.value(body))\(status))" }
        if let body = definition.body { return ".text(\(LanguageText.quoted(body))\(status))" }
        if let body = definition.base64Body {
            let padding = body.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            return ".data(\(body.utf8.count / 4 * 3 - padding) bytes\(status))"
        }
        if let path = definition.bodyFileName { return ".file(\(LanguageText.quoted(path))\(status))" }
        if definition.fault != nil, status.isEmpty { return "" }
        return ".status(\(definition.status))"
    }

    private func change(_ key: String, _ value: JSONValue) -> String {
        switch key {
        case "headers":
            return definition.headers.filter { $0 != usualType }.map { header in
                let values = header.values.map(LanguageText.quoted).joined(separator: ", ")
                return ".header(\(LanguageText.quoted(header.name)), \(values))"
            }.joined()
        case "fixedDelayMilliseconds": return ".delay(\(LanguageText.value(value)) ms)"
        case "fault":
            if let fault = definition.fault { return ".fault(\(Self.name(of: fault)))" }
            return ".fault(\((value.arrayValue ?? [value]).map(Self.rule).joined(separator: ", ")))"
        default: return ".\(key)(\(LanguageText.value(value)))"
        }
    }

    /// The `Content-Type` implied by the kind of body.
    private var usualType: ResponseHeader? {
        let type =
            definition.jsonBody != nil
            ? "application/json"
            : definition.body != nil
                ? "text/plain; charset=utf-8"
                : definition.base64Body != nil
                    ? "application/octet-stream" : definition.bodyFileName.flatMap(MediaType.suggested(forFileNamed:))
        return type.map { ResponseHeader("Content-Type", [$0]) }
    }

    /// A fault rule: `.cutAfter(4)`, or JSON if it has more than one member.
    private static func rule(_ json: JSONValue) -> String {
        guard case .object(let object) = json, object.count == 1, let member = object.members.first else {
            return LanguageText.value(json)
        }
        return ".\(member.key)(\(LanguageText.value(member.value)))"
    }

    private static func name(of fault: SDStubModel.Fault) -> String {
        Stub.Fault.Kind(rawValue: fault.rawValue).map { ".\($0)" } ?? LanguageText.quoted(fault.rawValue)
    }
}

extension Stub: CustomStringConvertible {
    /// The stub in the kit's notation: `stub(.get("/orders"), .json([7]))`.
    public var description: String {
        let answers = model.responses?.entries.map(\.response) ?? [model.response]
        let texts = [Request(model.request).description] + answers.map { Answer($0).description }
        return "stub(\(texts.joined(separator: ", ")))" + (name.map { " named \(LanguageText.quoted($0))" } ?? "")
    }
}

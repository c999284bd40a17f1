import SDBasics
import SDJSON
import SDJSONSchema
import SDOpenAPI
import SDPlatform

extension ContractCheck {
    /// Checks the parameters of a request.
    mutating func checkParameters(_ request: ContractRequest) {
        guard !operation.parameters.isEmpty else { return }
        let query = QueryText(Array((request.query ?? "").utf8)[...])
        let (inQuery, inCookies) = (names(of: .query), names(of: .cookie))
        let cookies = inCookies.isEmpty ? nil : Self.cookies(request)
        var path: [String: ArraySlice<UInt8>]?
        for parameter in operation.parameters {
            guard budget.spend(100 + 20 * request.headers.count, for: Self.work) else { return }
            switch parameter.location {
            case .path:
                let values =
                    path ?? PathTemplate(operation.path).values(in: PathTemplate.split(Array(request.path.utf8))) ?? [:]
                path = values
                checkPath(parameter, values)
            case .query: checkQuery(parameter, query, others: inQuery)
            case .querystring: checkWholeQuery(parameter, request.query)
            case .header: checkHeader(parameter, request.headers, of: "request")
            case .cookie: if let cookies { checkCookie(parameter, cookies, others: inCookies) }
            }
        }
    }

    private func names(of location: APIParameter.Location) -> Set<String> {
        Set(operation.parameters.lazy.filter { $0.location == location }.map(\.name))
    }

    private func writing(_ parameter: APIParameter) -> ParameterWriting {
        ParameterWriting(
            name: parameter.name, style: parameter.style, explode: parameter.explode, shape: shape(parameter.schema))
    }

    private mutating func checkPath(_ parameter: APIParameter, _ values: [String: ArraySlice<UInt8>]) {
        // A path parameter that the template lacks is an error of the document.
        guard let raw = values[parameter.name] else { return }
        if parameter.content != nil {
            return check(.text(WrittenText(PathTemplate.decoded(raw))), of: parameter, .path)
        }
        let writing = writing(parameter)
        guard let value = writing.path(raw) else {
            return addMalformed(parameter, .path, found: PathTemplate.decoded(raw))
        }
        check(value, of: parameter, .path)
    }

    private mutating func checkQuery(_ parameter: APIParameter, _ query: QueryText, others: Set<String>) {
        let subject = Self.subject(.query, parameter.name)
        if parameter.content != nil {
            guard let raw = query.values(parameter.name).first else {
                return checkPresence(parameter, .query, among: query.pairs.map(\.name))
            }
            return check(.text(QueryText.decoded(raw)), of: parameter, .query)
        }
        switch writing(parameter).query(query, others: others) {
        case .absent: checkPresence(parameter, .query, among: query.pairs.map(\.name))
        case .value(let value):
            if parameter.allowEmptyValue, case .text(let text) = value, text.text.isEmpty { return }
            check(value, of: parameter, .query)
        case .repeated(let count, let value):
            add(
                Violation(
                    .query, name: parameter.name, message: "\(subject) stands there \(count) times, expected once",
                    expected: "one value", found: "\(count) values"))
            check(value, of: parameter, .query)
        case .malformed(let text): addMalformed(parameter, .query, found: text)
        }
    }

    private mutating func checkWholeQuery(_ parameter: APIParameter, _ query: String?) {
        guard let query, !query.isEmpty else {
            if parameter.isRequired {
                add(
                    Violation(
                        .query, keyword: "required", message: "a query is required", expected: "a query",
                        found: "none"))
            }
            return
        }
        guard let content = parameter.content, let schema = content.schema else { return }
        let media = MediaType(content.type)
        if media.isForm {
            let value = formValue(QueryText(Array(query.utf8)[...]), content)
            check(value, by: schema.place.inSchemas, .query, subject: "the query")
        } else {
            let text = QueryText.decoded(Array(query.utf8)[...])
            var whole = parameter
            whole.name = "query"
            check(.text(WrittenText(text.other ?? text.text)), of: whole, .query)
        }
    }

    /// Checks a header of a request or an answer.
    mutating func checkHeader(
        _ parameter: APIParameter, _ headers: [(name: String, value: String)], of message: String
    ) {
        let name = parameter.name.lowercased()
        // By the specification, these three are described elsewhere.
        if direction == .request, ["accept", "content-type", "authorization"].contains(name) { return }
        let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
        guard !values.isEmpty else { return checkPresence(parameter, .header, among: headers.map(\.name)) }
        let text = ParameterWriting.trimmed(values.joined(separator: ", "))
        if parameter.content != nil { return check(.text(WrittenText(text)), of: parameter, .header) }
        guard let value = writing(parameter).header(text) else {
            return addMalformed(parameter, .header, found: text)
        }
        check(value, of: parameter, .header)
    }

    private mutating func checkCookie(_ parameter: APIParameter, _ cookies: QueryText, others: Set<String>) {
        if parameter.content != nil {
            guard let raw = cookies.values(parameter.name).first else {
                return checkPresence(parameter, .cookie, among: cookies.pairs.map(\.name))
            }
            return check(.text(QueryText.decoded(raw)), of: parameter, .cookie)
        }
        switch writing(parameter).query(cookies, others: others) {
        case .absent: checkPresence(parameter, .cookie, among: cookies.pairs.map(\.name))
        case .value(let value), .repeated(_, let value): check(value, of: parameter, .cookie)
        case .malformed(let text): addMalformed(parameter, .cookie, found: text)
        }
    }

    /// The cookies of a request, as pairs like a query's.
    static func cookies(_ request: ContractRequest) -> QueryText {
        let texts = request.headers.filter { $0.name.lowercased() == "cookie" }.flatMap { header in
            header.value.split(separator: ";").map { ParameterWriting.trimmed(String($0)).unquotedValue }
        }
        return QueryText(Array(texts.joined(separator: ";").utf8)[...], separator: UInt8(ascii: ";"))
    }

    // MARK: - Missing and malformed values

    private mutating func checkPresence(
        _ parameter: APIParameter, _ location: Violation.Location, among names: [String]
    ) {
        guard parameter.isRequired, budget.spend(50 * names.count, for: Self.work) else { return }
        let near = meantName(by: parameter.name, among: names)
        add(
            Violation(
                location, name: parameter.name, keyword: "required",
                message: "\(Self.subject(location, parameter.name)) is required, found none"
                    + (near.map { "; is \(JSONValue.string($0).compactText) meant to be it?" } ?? ""),
                expected: wanted(parameter.schema ?? parameter.content?.schema) ?? "a value", found: near ?? "none"))
    }

    private mutating func addMalformed(_ parameter: APIParameter, _ location: Violation.Location, found text: String) {
        let example =
            switch parameter.style {
            case .label: parameter.explode ? "`.a.b` or `.name=value`" : "`.a,b`"
            case .matrix: "`;\(parameter.name)=a`"
            default: parameter.explode ? "`name=value,name=value`" : "`name,value,name,value`"
            }
        let found = JSONValue.string(text).shortDescription
        add(
            Violation(
                location, name: parameter.name, keyword: "style",
                message: "\(Self.subject(location, parameter.name)) is not written in the style "
                    + "\(parameter.style.rawValue): expected a text such as \(example), found \(found)",
                expected: "a text such as \(example)", found: found))
    }
}

extension String {
    /// A cookie's value without surrounding quotes.
    fileprivate var unquotedValue: String {
        guard let equals = firstIndex(of: "=") else { return self }
        let value = self[index(after: equals)...]
        guard value.utf8.count > 1, value.first == "\"", value.last == "\"" else { return self }
        return String(self[...equals]) + value.dropFirst().dropLast()
    }
}

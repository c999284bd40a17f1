import SDBasics
import SDHTTPTransport
package import SDJSON
package import SDJournal
package import SDMatching
package import SDPlatform
import SDStubModel
package import SDTemplating

/// The names for templates of a response: `request` and `parameters`, and as an extension to WireMock `path` for the
/// variables of the stub's path.
///
/// `@unchecked Sendable`: used only by the thread that renders the response.
package final class ResponseModel: TemplateObject, @unchecked Sendable {
    private let request: RequestModel
    private let parameters: TemplateValue
    private let response: AnswerModel?

    /// The made response, for templates that run after it.
    package struct Answer: Sendable {
        /// Nil if it is not known yet.
        package var status: Int?
        package var fields: [(name: String, value: String)]
        package var body: [UInt8]

        package init(status: Int? = nil, fields: [(name: String, value: String)], body: [UInt8]) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    /// - Parameters:
    ///   - parameters: the parameters of the transformer.
    ///   - response: nil until it is made.
    package init(_ request: RequestModel, parameters: TemplateValue, response: Answer? = nil) {
        self.request = request
        self.response = response.map { AnswerModel($0, request) }
        self.parameters = parameters
    }

    /// The parameters of a transformer as template values.
    package static func parameters(_ object: JSONObject?) -> TemplateValue {
        .map(TemplateMap(object?.members.map { ($0.key, TemplateValue(plain: $0.value)) } ?? []))
    }

    package func member(_ name: String) -> TemplateValue? {
        switch name {
        case "request": .object(request)
        case "parameters": parameters
        case "path": request.pathVariables
        case "response": response.map { .object($0) }
        default: nil
        }
    }

    package func value(atPath names: [String]) -> TemplateValue? {
        switch names[0] {
        // `this` is the preceding value, not a member.
        case "request" where names.count == 3 && names[2] != "this": request.value(of: names[2], in: names[1])
        case "path" where names.count == 2 && names[1] != "this": request.variable(names[1])
        default: nil
        }
    }

    package var members: [(key: String, value: TemplateValue)]? {
        [("request", .object(request)), ("parameters", parameters)]
    }

    package var text: String { "{request=\(request.text), parameters=\(parameters.text)}" }
}

/// `response`, for templates that run after it was made.
///
/// `@unchecked Sendable`: used only by the thread that renders.
package final class AnswerModel: TemplateObject, @unchecked Sendable {
    private let answer: ResponseModel.Answer
    private let request: RequestModel
    package private(set) lazy var text = request.tryReserve(answer.body.count) ? RequestModel.text(answer.body) : ""

    package init(_ answer: ResponseModel.Answer, _ request: RequestModel) {
        self.answer = answer
        self.request = request
    }

    package func member(_ name: String) -> TemplateValue? {
        switch name {
        case "status": answer.status.map { .int($0) }
        case "body": .text(text)
        case "bodyAsBase64": .text(request.tryReserve(5 * answer.body.count) ? Base64.encode(answer.body) : "")
        case "headers":
            .object(HeaderModel(answer.fields.map { (Array($0.name.utf8)[...], Array($0.value.utf8)[...]) }))
        default: nil
        }
    }
}

/// The request for templates. Its parts are decoded on demand.
///
/// `@unchecked Sendable`: used only by the thread that renders the response.
package final class RequestModel: TemplateObject, @unchecked Sendable {
    private let request: any TemplateRequest
    private var views: RequestViews
    private let pattern: CompiledPattern
    private let ids: EventIDs
    private let sequence: UInt64?
    private let budget: WorkBudget
    private var body: String?
    private var variables: [(name: String, value: String)]?
    /// Cached members that are slow to make, by name.
    private var made: [String: TemplateValue] = [:]

    /// - Parameters:
    ///   - ids: the ids of the session's events.
    ///   - sequence: the number of the request in its session; nil during matching.
    ///   - budget: the budget for decoding its values.
    package init(
        _ request: any TemplateRequest, _ views: RequestViews, _ pattern: CompiledPattern, ids: EventIDs,
        sequence: UInt64?, _ budget: WorkBudget
    ) {
        self.request = request
        self.budget = budget
        self.views = views
        self.pattern = pattern
        self.ids = ids
        self.sequence = sequence
    }

    package var text: String { "com.github.tomakehurst.wiremock.extension.responsetemplating.RequestTemplateModel@0" }

    package func member(_ name: String) -> TemplateValue? {
        switch name {
        case "id": .text(sequence.map { ids.text($0) } ?? "")
        case "url": .text(Self.text(request.url))
        case "path", "pathSegments":
            once("path", 20 * request.path.count) { .object(PathModel(request.path, knownVariables())) }
        case "query": once(name, 2_000 + 10 * (request.query?.count ?? 0)) { query }
        case "method", "getMethod": .object(WordModel(Self.text(request.method)))
        case "headers": once(name, 2_000) { .object(HeaderModel(request.headers)) }
        case "cookies": once(name, 2_000) { Self.map(views.cookies(of: request)) }
        case "body": .text(bodyText())
        case "bodyAsBase64": .text(tryReserve(5 * bodyCount) ? Base64.encode(views.body(of: request)) : "")
        case "binary": .bool(isBinary)
        case "multipart": .bool(views.isMultipart(request))
        case "parts": once(name, 4 * bodyCount) { parts }
        case "requestLine": .object(RequestLineModel(self))
        case "scheme", "host", "port", "baseUrl", "clientIp": destination(name)
        case "clientCertificate": CertificateModel(request).map { .object($0) } ?? .null
        default: nil
        }
    }

    /// A member that is made on first use; null if the budget does not suffice.
    /// - Parameter nanoseconds: the least time to make it.
    private func once(_ name: String, _ nanoseconds: Int, _ make: () -> TemplateValue) -> TemplateValue {
        if let known = made[name] { return known }
        guard tryReserve(nanoseconds) else { return .null }
        let value = make()
        made[name] = value
        return value
    }

    // MARK: - Shortcuts

    /// A value of the path, query or headers, found without making their models; nil if the models are needed.
    package func value(of name: String, in part: String) -> TemplateValue? {
        switch part {
        case "path", "pathSegments": return variable(name)
        case "headers":
            var values: [TemplateValue] = []
            request.forEachHeaderValue(name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }) { value in
                values.append(.text(Self.text(value)))
                return true
            }
            return values.isEmpty ? nil : .values(values)
        case "query":
            guard request.query != nil, let parameters = views.queryParameters() else { return nil }
            var values: [TemplateValue] = []
            for parameter in parameters where parameter.name.elementsEqual(name.utf8) {
                values.append(.text(Self.text(parameter.value)))
            }
            return values.isEmpty ? nil : .values(values)
        default: return nil
        }
    }

    /// The value of a variable of the stub's path; nil if it has none of that name.
    package func variable(_ name: String) -> TemplateValue? {
        if let variables { return variables.first { $0.name == name }.map { .text($0.value) } }
        return pattern.pathVariable(name, &views).map { .text($0) }
    }

    private func knownVariables() -> [(name: String, value: String)] {
        if let variables { return variables }
        let found = pattern.pathVariables(&views)
        variables = found
        return found
    }

    private func bodyText() -> String {
        if let body { return body }
        // Bytes that are not UTF-8 take longer.
        guard tryReserve(3 * bodyCount) else { return "" }
        let text = Self.text(views.body(of: request))
        body = text
        return text
    }

    /// Reserves time for work on a text; if the budget does not suffice, it is exhausted, and no value counts.
    /// - Parameter nanoseconds: the least time of the work.
    func tryReserve(_ nanoseconds: Int) -> Bool {
        nanoseconds < 1_000 || budget.tryReserve(nanoseconds, for: WorkBudget.Work("values", "of the request"))
    }

    private var bodyCount: Int { views.body(of: request).count }

    /// The variables of the stub's path; nil if it has none.
    package var pathVariables: TemplateValue? {
        let variables = knownVariables()
        return variables.isEmpty ? nil : .map(TemplateMap(variables.map { ($0.name, .text($0.value)) }))
    }

    private func destination(_ name: String) -> TemplateValue {
        let destination = views.destination(of: request)
        switch name {
        case "scheme": return .text(destination.scheme)
        case "host": return .text(destination.host)
        case "port": return .int(destination.port)
        case "clientIp": return .text(destination.client)
        default:
            let isUsual = destination.port == (destination.scheme == "https" ? 443 : 80)
            return .text(
                "\(destination.scheme)://\(destination.host)" + (isUsual ? "" : ":\(destination.port)"))
        }
    }

    private var query: TemplateValue {
        let parameters = views.queryParameters() ?? []
        let pairs = parameters.map { parameter in (Self.text(parameter.name), Self.text(parameter.value)) }
        return Self.map(request.query == nil ? [] : pairs, isHashed: true)
    }

    /// Whether the body is binary, judging by its type; without a type it is text.
    private var isBinary: Bool {
        var isBinary = true
        request.forEachHeaderValue(Array("content-type".utf8)) { type in
            isBinary = !MediaTypes.isText(Self.text(type))
            return false
        }
        return isBinary
    }

    private var parts: TemplateValue {
        let parts = views.parts(of: request)
        let named = parts.enumerated().map { index, part -> (key: String, value: TemplateValue) in
            let name = part.name ?? "part-\(index)"
            return (name, .object(PartModel(name, part)))
        }
        return .map(TemplateMap(JavaHash.sorted(named)))
    }

    // MARK: - Values

    package static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Names with all of their values.
    private static func map(_ pairs: [(String, String)], isHashed: Bool = false) -> TemplateValue {
        var members: [(key: String, value: TemplateValue)] = []
        var places: [String: Int] = [:]
        var values: [[TemplateValue]] = []
        for (name, value) in pairs {
            if let place = places[name] {
                values[place].append(.text(value))
            } else {
                places[name] = values.count
                values.append([.text(value)])
                members.append((name, .null))
            }
        }
        for place in members.indices { members[place].value = .values(values[place]) }
        return .map(TemplateMap(isHashed ? JavaHash.sorted(members) : members))
    }
}

/// `request.clientCertificate`. It prints as its subject.
private struct CertificateModel: TemplateObject {
    private let values: [(key: String, value: TemplateValue)]
    let text: String

    /// The certificate of a request; nil if its client presented none.
    init?(_ request: any TemplateRequest) {
        guard let subject = request.certificateValues(.subject).first else { return nil }
        text = subject
        values = CertificateField.allCases.map { field in
            let texts = request.certificateValues(field).map { TemplateValue.text($0) }
            return (field.rawValue, field == .alternativeNames ? .list(texts) : texts.first ?? .null)
        }
    }

    func member(_ name: String) -> TemplateValue? { values.first { $0.key == name }?.value }

    var members: [(key: String, value: TemplateValue)]? { values }
}

/// `request.requestLine`, an older location of some names.
private struct RequestLineModel: TemplateObject {
    private let request: RequestModel

    init(_ request: RequestModel) {
        self.request = request
    }

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "method", "path", "pathSegments", "query", "url", "host", "port", "baseUrl", "scheme", "clientIp":
            request.member(name)
        default: nil
        }
    }

    var text: String { "com.github.tomakehurst.wiremock.extension.responsetemplating.RequestLine@0" }
}

/// A constant that is not a text: it prints as one, but equals none.
private struct WordModel: TemplateObject {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    func member(_ name: String) -> TemplateValue? {
        name == "name" || name == "value" || name == "getName" ? .text(text) : nil
    }
}

/// The path: a list of its segments, with the variables of the stub's path template. It is decoded, except for a stub
/// with such a template.
private struct PathModel: TemplateObject {
    private let variables: [(name: String, value: String)]
    private let segments: [String]
    let text: String

    init(_ path: ArraySlice<UInt8>, _ variables: [(name: String, value: String)]) {
        self.variables = variables
        var raw = path
        // Java takes the text between two leading slashes and the next one for a host.
        if variables.isEmpty, raw.starts(with: Array("//".utf8)) {
            raw = raw.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
        }
        let bytes = variables.isEmpty ? PercentEncoding.decodeLeniently(raw)[...] : raw
        text = RequestModel.text(bytes)
        segments = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: variables.isEmpty).map {
            RequestModel.text($0)
        }
    }

    var elements: [TemplateValue]? { segments.map { .text($0) } }

    func member(_ name: String) -> TemplateValue? {
        if let variable = variables.first(where: { $0.name == name }) { return .text(variable.value) }
        guard let index = Int(name) else { return name == "size" || name == "length" ? .int(segments.count) : nil }
        let named = segments.lazy.filter { !$0.isEmpty }
        return index < 0 ? nil : named.dropFirst(index).first.map { .text($0) }
    }
}

/// The headers, with case-insensitive names. They print in the order of their names.
private struct HeaderModel: TemplateObject {
    private let fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]

    init(_ fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]) {
        self.fields = fields
    }

    /// The headers with all of their values, each under its first spelling.
    private var headers: [(key: String, values: [TemplateValue])] {
        var known: [(lowercased: String, key: String, values: [TemplateValue])] = []
        var places: [String: Int] = [:]
        for (name, value) in fields {
            let (name, value) = (RequestModel.text(name), TemplateValue.text(RequestModel.text(value)))
            let lowercased = name.lowercased()
            if let place = places[lowercased] {
                known[place].values.append(value)
            } else {
                places[lowercased] = known.count
                known.append((lowercased, name, [value]))
            }
        }
        return known.sorted { $0.lowercased < $1.lowercased }.map { ($0.key, $0.values) }
    }

    func member(_ name: String) -> TemplateValue? {
        let name = Array(name.utf8)
        var values: [TemplateValue] = []
        for field in fields where field.name.count == name.count && Self.isSame(field.name, name) {
            values.append(.text(RequestModel.text(field.value)))
        }
        return values.isEmpty ? nil : .values(values)
    }

    /// Whether two names of equal length differ only in letter case.
    private static func isSame(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
        var place = left.startIndex
        for byte in right {
            guard folded(left[place]) == folded(byte) else { return false }
            place += 1
        }
        return true
    }

    var members: [(key: String, value: TemplateValue)]? { headers.map { ($0.key, .values($0.values)) } }

    var text: String { TemplateValue.map(TemplateMap(members ?? [])).text }
}

/// A part of a multipart body.
private struct PartModel: TemplateObject {
    private let name: String
    private let part: RequestViews.Part

    init(_ name: String, _ part: RequestViews.Part) {
        self.name = name
        self.part = part
    }

    func member(_ member: String) -> TemplateValue? {
        switch member {
        case "name": .text(name)
        case "filename": part.fileName.map { .text($0) }
        case "body": .text(String(decoding: part.body, as: UTF8.self))
        case "bodyAsBase64": .text(Base64.encode(part.body))
        case "binary": .bool(isBinary)
        case "headers": .object(HeaderModel(part.headers.map { (Array($0.name.utf8)[...], Array($0.value.utf8)[...]) }))
        default: nil
        }
    }

    private var isBinary: Bool {
        guard let type = part.headers.first(where: { $0.name == "content-type" }) else { return true }
        return !MediaTypes.isText(type.value)
    }

    var text: String {
        let headers = HeaderModel(part.headers.map { (Array($0.name.utf8)[...], Array($0.value.utf8)[...]) }).text
        return "[name='\(name)', headers=\(headers), body=\(String(decoding: part.body, as: UTF8.self))]"
    }
}

/// The media types that WireMock treats as text.
enum MediaTypes {
    package static func isText(_ type: String) -> Bool {
        let type = type.lowercased()
        return ["json", "text", "xml", "html", "yaml", "csv", "x-www-form-urlencoded", "javascript", "graphql"]
            .contains { type.contains(text: $0) }
    }
}

/// Suggests our expression for helpers and names of other tools (Mockoon, Handlebars' faker, mountebank, Postman), with
/// their parameters.
public struct MeantExpression: Sendable {
    /// The suggested expression, without braces.
    public let text: String

    /// Nil for an unknown name.
    /// - Parameters:
    ///   - parameters: their source texts; strings are quoted.
    public init?(_ name: String, _ parameters: [String] = [], _ hash: [(name: String, value: String)] = []) {
        guard let text = Self.meant(name, parameters, hash) else { return nil }
        self.text = text
    }

    private static func meant(
        _ name: String, _ parameters: [String], _ hash: [(name: String, value: String)]
    ) -> String? {
        let first = parameters.first
        func member(_ place: String, or whole: String? = nil) -> String? {
            guard let first else { return whole ?? place + ".NAME" }
            return "\(place).\(segment(unquoted(first)))"
        }
        func range(_ words: String) -> String {
            let bounds = ["lower", "upper"].enumerated().compactMap { index, word -> String? in
                let given = hash.first { $0.name == (index == 0 ? "min" : "max") }?.value
                return (index < parameters.count ? parameters[index] : given).map { "\(word)=\($0)" }
            }
            return ([words] + bounds).joined(separator: " ")
        }
        if let text = subscripted(name, parameters) ?? calculated(name, parameters) { return text }
        switch plain(name) {
        case "faker", "fake", "chance", "casual", "mock":
            return "random '\(first.map { fakeKey(unquoted($0)) } ?? "Name.firstName")'"
        case "urlparam", "urlparams", "pathparam", "pathvariable", "routeparam", "param", "params":
            return member("path")
        case "queryparam", "queryparams", "querystring", "queryparamraw": return member("request.query")
        case "header", "requestheader", "getheader": return member("request.headers")
        case "cookie", "requestcookie": return member("request.cookies")
        case "body", "bodyraw", "requestbody", "payload", "bodyjson":
            guard let first else { return "request.body" }
            let path = unquoted(first)
            return "jsonPath request.body '\(path.hasPrefix("$") ? path : "$." + path)'"
        case "method", "requestmethod", "httpmethod": return "request.method"
        case "hostname": return "request.host"
        case "ip", "clientip", "remoteaddress": return "request.clientIp"
        case "baseurl", "requesturl": return name.lowercased().hasSuffix("baseurl") ? "request.baseUrl" : "request.url"
        case "uuid", "guid", "uuidv4", "randomuuid", "$guid", "$randomuuid", "objectid":
            return "randomValue type='UUID'"
        case "int", "integer", "randomnumber", "$randomint", "numberbetween", "randominteger":
            return range("randomInt")
        case "float", "double", "randomfloat", "randomdouble": return range("randomDecimal")
        case "string", "randomstring", "alphanumeric": return "randomValue length=10 type='ALPHANUMERIC'"
        case "oneof", "randomitem", "sample", "choice": return (["pickRandom"] + parameters).joined(separator: " ")
        case "timestamp", "$timestamp", "unixtime", "epoch": return "now format='unix'"
        case "isotimestamp", "$isotimestamp", "datetime", "currentdate", "today": return "now"
        case "repeat", "times": return "#each (range 1 \(first ?? "3"))"
        case "switch", "ifcond", "compare", "ifeq", "equals": return (["eq"] + parameters).joined(separator: " ")
        case "lowercase", "tolower", "tolowercase", "downcase": return (["lower"] + parameters).joined(separator: " ")
        case "uppercase", "toupper", "toupper case", "touppercase", "upcase":
            return (["upper"] + parameters).joined(separator: " ")
        case "concat": return (["join ''"] + parameters).joined(separator: " ")
        case "base64encode", "btoa", "tobase64": return (["base64"] + parameters).joined(separator: " ")
        case "default", "defaultto", "defaultvalue", "coalesce", "ifempty", "orelse":
            return first == nil ? nil : (["defaultIfEmpty"] + parameters).joined(separator: " ")
        default: return nil
        }
    }

    /// A name as a path segment.
    private static func segment(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && !"[]{}'\"./#".utf8.contains($0) } && !name.isEmpty
        return isPlain ? name : "[\(name)]"
    }

    /// `request.headers['X-A']`, whose brackets are parsed as a parameter, as `request.headers.X-A`.
    private static func subscripted(_ name: String, _ parameters: [String]) -> String? {
        guard parameters.count == 1, let written = parameters.first, written.first == "[",
            let close = written.firstIndex(of: "]")
        else { return nil }
        let key = unquoted(String(written[..<close].dropFirst()))
        return key.isEmpty ? nil : "\(name).\(segment(key))\(written[close...].dropFirst())"
    }

    private static let signs = [
        "add": "+", "plus": "+", "sum": "+", "increment": "+", "inc": "+", "subtract": "-", "minus": "-", "sub": "-",
        "decrement": "-", "dec": "-", "multiply": "*", "mul": "*", "divide": "/", "div": "/", "modulo": "%", "mod": "%",
    ]

    /// `page + 1` and `add page 1` as `math page '+' 1`.
    private static func calculated(_ name: String, _ parameters: [String]) -> String? {
        if parameters.count == 2, ["+", "-", "*", "%"].contains(parameters[0]) {
            return "math \(name) '\(parameters[0])' \(parameters[1])"
        }
        guard let sign = signs[plain(name)], let first = parameters.first, parameters.count <= 2 else { return nil }
        return "math \(first) '\(sign)' \(parameters.count == 2 ? parameters[1] : "1")"
    }

    private static func plain(_ name: String) -> String { String(name.lowercased().filter { !"-_".contains($0) }) }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, let first = text.first, first == text.last, "'\"".contains(first) else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// Names of fake values in faker.js that differ from ours, in lower case.
    private static let fakeKeys = [
        "name.first": "Name.firstName", "name.last": "Name.lastName", "name.findname": "Name.fullName",
        "internet.email": "Internet.emailAddress", "internet.ip": "Internet.ipV4Address",
        "phone.number": "PhoneNumber.phoneNumber", "phone.phonenumber": "PhoneNumber.phoneNumber",
        "address.zip": "Address.zipCode", "location.zipcode": "Address.zipCode", "datatype.uuid": "Internet.uuid",
        "string.uuid": "Internet.uuid", "datatype.number": "Number.randomNumber", "company.companyname": "Company.name",
        "internet.username": "Name.username", "color.human": "Color.name",
    ]

    /// Our key for a faker.js key: `Name.firstName` for `name.firstName`.
    private static func fakeKey(_ key: String) -> String {
        let parts = key.split(separator: ".").map(String.init)
        guard parts.count > 1, let letter = parts[0].first else { return "Name.firstName" }
        let group = ["person": "Name", "location": "Address"][parts[0].lowercased()]
        let name = parts.dropFirst().joined(separator: ".")
        let known = fakeKeys["\(group ?? parts[0]).\(name)".lowercased()]
        return known ?? "\(group ?? letter.uppercased() + parts[0].dropFirst()).\(name)"
    }
}

extension TemplateOperand {
    /// The operand's source text.
    var written: String {
        switch self {
        case .literal(.text(let text)): "'\(text)'"
        case .literal(let value): value.text
        case .path(let path): path.text
        case .call: "(…)"
        }
    }
}

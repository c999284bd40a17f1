import Foundation

/// A document with secrets under their names in all spellings, beside as many values that look harmless, or nearly so.
public struct SecretDocument: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case json, lines, form, multipart, xml, eventStream, url, text, script
    }

    public let kind: Kind
    public let contentType: String
    public private(set) var text = ""
    /// What must not be in any output: letters and digits, so that no escape changes them.
    public private(set) var secrets: [String] = []
    /// What must be in each.
    public private(set) var neighbours: [String] = []

    private var generator: TestGenerator

    /// - Parameter count: the number of secrets.
    public init(_ kind: Kind, secrets count: Int, _ generator: inout TestGenerator) {
        self.kind = kind
        self.generator = TestGenerator(seed: generator.next())
        contentType =
            switch kind {
            case .json: "application/json"
            case .lines: "application/x-ndjson"
            case .form: "application/x-www-form-urlencoded"
            case .multipart: "multipart/form-data; boundary=b0undary"
            case .xml: "application/xml"
            case .eventStream: "text/event-stream"
            case .url, .text: "text/plain"
            case .script: "application/javascript"
            }
        switch kind {
        case .json: text = object(count, depth: 0)
        case .lines: for _ in 0..<count { text += object(1, depth: 1) + "\n" }
        case .form: text = fields(count, typed: true)
        case .multipart: text = parts(count)
        case .xml:
            text = "<?xml version=\"1.0\"?>\n<root xmlns:ns1=\"urn:one\">" + elements(count, depth: 0) + "</root>"
        case .eventStream: text = events(count)
        case .url: text = "/a/" + neighbour() + "?" + fields(count, typed: false) + "#part"
        case .text: text = lines(count)
        case .script: text = code(count)
        }
    }

    private mutating func one<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: list.indices, using: &generator)]
    }
    private mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &generator) == 0 }

    // MARK: Values

    private mutating func mark(_ start: String) -> String {
        start + String(generator.next() | 1 << 63, radix: 36)
    }

    private mutating func secret() -> String {
        secrets.append(mark("zq"))
        return secrets[secrets.count - 1]
    }

    private mutating func neighbour() -> String {
        neighbours.append(mark("nb"))
        return neighbours[neighbours.count - 1]
    }

    private mutating func digits(_ first: String) -> String {
        first + String(UInt64.random(in: 100_000_000...999_999_999, using: &generator))
    }

    // MARK: Names

    private static let secretNames = [
        ["access", "token"], ["api", "key"], ["x", "api", "key"], ["client", "secret"], ["password"],
        ["refresh", "token"],
        ["id", "token"], ["session", "id"], ["private", "key"], ["new", "password"], ["db", "password"], ["jwt"],
        ["x", "vault", "token"], ["secret", "access", "key"],
    ]
    private static let harmlessNames = [
        ["token", "type"], ["keyboard"], ["tokens", "used"], ["author"], ["max", "tokens"], ["password", "hint"],
        ["next", "page", "token"], ["user", "name"], ["description"], ["cookie", "policy"], ["state"], ["secretary"],
        ["expires", "in"], ["key"], ["authority"],
    ]

    /// - Parameter plain: whether nothing but letters, `_` and `-` may be in it.
    private mutating func spelt(_ words: [String], plain: Bool = false) -> String {
        func capital(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
        switch Int.random(in: 0..<(plain ? 6 : 8), using: &generator) {
        case 0: return words[0] + words.dropFirst().map(capital).joined()
        case 1: return words.map(capital).joined()
        case 2: return words.joined(separator: "_")
        case 3: return words.map { $0.uppercased() }.joined(separator: "_")
        case 4: return words.joined(separator: "-")
        case 5: return words.map(capital).joined(separator: "-")
        case 6: return words.joined(separator: ".")
        default: return words.joined(separator: " ")
        }
    }

    private mutating func secretName(plain: Bool = false) -> String {
        let words = one(Self.secretNames)
        return spelt(words, plain: plain)
    }

    private mutating func harmlessName(plain: Bool = false) -> String {
        let words = one(Self.harmlessNames)
        return spelt(words, plain: plain)
    }

    // MARK: JSON

    private mutating func quoted(_ text: String, isName: Bool = false) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "_" where isName && chance(4), "-" where isName && chance(6), "a" where isName && chance(20):
                result += "\\u00" + String(scalar.value, radix: 16)
            case "/" where chance(3): result += "\\/"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private mutating func name(_ text: String) -> String {
        quoted(text, isName: true)
            + one([":", ": ", " : ", ":\n  "].filter { kind != .lines && kind != .eventStream || $0 != ":\n  " })
    }

    private mutating func key(_ text: String) -> String {
        // Two members of one name would be one.
        name(text)
    }

    private mutating func scalar(isSecret: Bool) -> String {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
            let number = digits(isSecret ? "7" : "3")
            if isSecret { secrets.append(number) } else { neighbours.append(number) }
            return number
        default:
            let value = isSecret ? secret() : neighbour()
            return quoted(one([value, "é " + value + "/+", value + "\"\\ x", value, value]))
        }
    }

    private mutating func object(_ count: Int, depth: Int) -> String {
        var members: [String] = []
        var left = count
        while left > 0 {
            members.append(key(harmlessName()) + scalar(isSecret: false))
            let part = Int.random(in: 1...left, using: &generator)
            switch Int.random(in: 0..<11, using: &generator) {
            case 0 where depth < 4:
                members.append(key(harmlessName()) + object(part, depth: depth + 1))
                left -= part
            case 1 where depth < 4:
                members.append(
                    key(harmlessName()) + "[" + object(part, depth: depth + 1) + ", " + scalar(isSecret: false) + "]")
                left -= part
            case 2 where depth < 3:
                let inner = object(part, depth: depth + 1)
                members.append(key(harmlessName()) + quoted(inner))
                left -= part
            case 3:
                let (a, b) = (scalar(isSecret: true), scalar(isSecret: true))
                members.append(key(secretName()) + "[\(a), {\"x\": \(b), \"y\": null}]")
                left -= 1
            case 4:
                let url = "https://\(harmlessName(plain: true)).example/?" + fields(1, typed: false)
                members.append(key(harmlessName()) + quoted(url))
                left -= 1
            case 5:
                members.append(key(harmlessName()) + quoted("https://joe:\(secret())@host.example/" + neighbour()))
                left -= 1
            case 6:
                members.append("\"name\": " + quoted(secretName()) + ", \"value\": " + quoted(secret()))
                left -= 1
            case 7:
                let (a, b) = (secret(), secret())
                members.append(
                    "\"x\": {\"key\": " + quoted(secretName()) + ", \"value\": {\"a\": \"\(a)\", \"b\": [\"\(b)\"]}}")
                left -= 1
            case 8 where kind != .text:
                let schema = "{\"type\": \"string\", \"title\": \"\(neighbour())\", \"minLength\": 8}"
                members.append("\"properties\": {\(key(secretName()))\(schema)}")
                members.append(key(secretName()) + scalar(isSecret: true))
                left -= 1
            default:
                members.append(key(secretName()) + scalar(isSecret: true))
                left -= 1
            }
        }
        // The same name twice is allowed, and parsers keep one of them: numbered, all are there.
        return "{" + members.joined(separator: one([",", ", "])) + "}"
    }

    // MARK: Forms

    private mutating func encoded(_ text: String) -> String {
        text.utf8.map { byte -> String in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."): return String(UnicodeScalar(byte))
            case 0x20: return one(["+", "%20"])
            case UInt8(ascii: "_") where chance(2), UInt8(ascii: "-") where chance(2):
                return String(UnicodeScalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: chance(2))
                return "%" + (hex.utf8.count < 2 ? "0" : "") + hex
            }
        }.joined()
    }

    private mutating func fields(_ count: Int, typed: Bool) -> String {
        var fields: [String] = []
        for _ in 0..<count {
            fields.append(encoded(harmlessName()) + "=" + encoded(neighbour() + one(["", " &x", "ü"])))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: fields.append("data=" + encoded(object(1, depth: 3)))
            case 1:
                fields.append(
                    "next="
                        + encoded("https://h.example/?" + encoded(secretName()) + "=" + secret() + "&k=" + neighbour()))
            case 2: fields.append(encoded(secretName(plain: true)) + "[]=" + encoded(secret()))
            default: fields.append(encoded(secretName()) + "=" + encoded(secret() + one(["", "&/=", " +", "#ö"])))
            }
        }
        return fields.joined(separator: "&")
    }

    private mutating func parts(_ count: Int) -> String {
        var text = ""
        func part(_ name: String, _ type: String?, _ body: String) {
            text += "--b0undary\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n"
            if let type { text += "Content-Type: \(type)\r\n" }
            text += "\r\n\(body)\r\n"
        }
        for _ in 0..<count {
            part(harmlessName(), nil, neighbour())
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: part(harmlessName(), "application/json", object(1, depth: 2))
            case 1:
                part(harmlessName(), "application/xml", "<r xmlns:ns1=\"urn:one\">" + elements(1, depth: 2) + "</r>")
            default: part(secretName(), nil, secret() + "\r\nmore")
            }
        }
        return text + "--b0undary--\r\n"
    }

    // MARK: XML

    private mutating func elements(_ count: Int, depth: Int) -> String {
        var text = ""
        var left = count
        while left > 0 {
            let plain = harmlessName(plain: true)
            text += "<\(plain) lang=\"en\">\(neighbour())</\(plain)>"
            let name = one(["", "ns1:"]) + secretName(plain: true)
            let part = Int.random(in: 1...left, using: &generator)
            switch Int.random(in: 0..<9, using: &generator) {
            case 0 where depth < 4:
                text += "<group a='\(neighbour())'>" + elements(part, depth: depth + 1) + "</group>"
                left -= part
            case 1: text += "<item \(secretName(plain: true))=\"\(secret())\" k=\"\(neighbour())\"/>"
            case 2: text += "<\(name)><![CDATA[\(secret())<&]]></\(name)>"
            case 3: text += "<\(name)><a>\(secret())</a> <b c=\"\(secret())\"/></\(name)>"
            case 4: text += "<entry key=\"\(secretName(plain: true))\">\(secret())</entry>"
            case 5:
                let inner = object(1, depth: 3)
                text +=
                    "<doc>" + inner.map { ["\"": "&quot;", "<": "&lt;", "&": "&amp;"][$0] ?? String($0) }.joined()
                    + "</doc>"
            case 6: text += "<\(name) Type=\"urn:x#\(neighbour())\">\(secret())</\(name)>"
            case 7: text += "<p>x</p \(secretName(plain: true))=\"\(secret())\">"
            default: text += "<\(name)> \(secret()) &amp; \(secret())</\(name)>\n"
            }
            if !text.hasSuffix("</group>") { left -= 1 }
        }
        return text
    }

    // MARK: Lines

    private mutating func events(_ count: Int) -> String {
        var text = ""
        for _ in 0..<count {
            text += "event: \(one(["message", "update"]))\nid: \(neighbour())\n"
            let json = object(1, depth: 2)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: text += "data: " + json.replacingOccurrences(of: ", \"", with: ",\ndata:  \"") + "\n\n"
            default: text += "data:" + json + "\n\n"
            }
        }
        return text
    }

    private mutating func lines(_ count: Int) -> String {
        var text = ""
        for _ in 0..<count {
            text += "note " + neighbour() + "\n"
            switch Int.random(in: 0..<9, using: &generator) {
            case 6: text += "Link: </p?\(encoded(secretName()))=\(secret())&k=\(neighbour())>; rel=next\n"
            case 7:
                text += "The \(secretName(plain: true)): must have 8 letters, see \(neighbour())\n"
                text += "The token is: \(secret())\n"
            case 0: text += "Authorization: Bearer \(secret())\n"
            case 1: text += "called https://joe:\(secret())@h.example/\(neighbour())?a=b today\n"
            case 2: text += "login \(secretName(plain: true))=\(secret()) user=\(neighbour())\n"
            case 3: text += "\(secretName(plain: true)): \(secret())\n"
            case 4: text += "sent " + object(1, depth: 3).split(separator: "\n").joined() + " to \(neighbour())\n"
            default: text += "GET /x?\(encoded(secretName()))=\(secret())&k=\(neighbour()) HTTP/1.1\n"
            }
        }
        return text
    }

    // MARK: Code

    private mutating func code(_ count: Int) -> String {
        var text = ""
        for _ in 0..<count {
            let name = one(["token", "password", "apiKey", "clientSecret"])
            let other = neighbour()
            text += one([
                "if (\(name) === \(other).next) return;", "const \(name) = \(other);",
                "let \(name) = get(\(other), {a: 1});", "f(\(name) => \(other), x ? \(name) : 1);",
            ])
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: text += "var \(name) = '\(secret())';\n"
            case 1: text += "x = {\(name): \"\(secret())\", keyboard: \"\(neighbour())\"};\n"
            case 2: text += "fetch(\"/x?\(encoded(secretName(plain: true)))=\(secret())&k=\(neighbour())\");\n"
            default: text += "start({\"\(secretName(plain: true))\": `\(secret())`, a: [\"\(neighbour())\"]});\n"
            }
        }
        return text
    }
}

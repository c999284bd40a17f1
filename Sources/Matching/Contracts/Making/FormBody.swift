import SDBasics
import SDJSON
import SDOpenAPI
import SDPlatform

/// The encoding of `application/x-www-form-urlencoded`.
enum FormBody {
    static func bytes(of value: JSONValue, _ encoding: JSONObject?) -> [UInt8] {
        guard let object = value.objectValue else { return Array((value.stringValue ?? value.compactText).utf8) }
        var pairs: [String] = []
        func add(_ name: String, _ value: JSONValue) {
            pairs.append("\(escaped(name))=\(escaped(value.stringValue ?? (value.isNull ? "" : value.compactText)))")
        }
        for member in object.members {
            switch member.value {
            case .array(let items):
                if encoding?[member.key]?["explode"]?.boolValue == false {
                    add(member.key, .string(items.map { $0.stringValue ?? $0.compactText }.joined(separator: ",")))
                } else {
                    for item in items { add(member.key, item) }
                }
            default: add(member.key, member.value)
            }
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): result += "+"
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

/// A multipart body: the members of an object, or the items of a list.
struct MultipartBody {
    private let boundary: String
    let bytes: [UInt8]

    init(_ value: JSONValue, _ content: APIContent, seed: UInt64) {
        let boundary = "part-\(String(seed, radix: 16))"
        var body: [UInt8] = []
        func add(_ head: String, _ value: JSONValue) {
            body += "--\(boundary)\r\n\(head)\r\n\r\n".utf8
            body += (value.stringValue ?? value.compactText).utf8
            body += "\r\n".utf8
        }
        func type(_ value: JSONValue) -> String { value.stringValue == nil ? "application/json" : "text/plain" }
        if let object = value.objectValue {
            for member in object.members {
                let stated = content.encoding?[member.key]?["contentType"]?.stringValue?.split(separator: ",").first
                for item in member.value.arrayValue ?? [member.value] {
                    let name = member.key.replacing(text: "\"", with: "%22")
                    add(
                        "Content-Disposition: form-data; name=\"\(name)\"\r\nContent-Type: \(stated.map(\.trimmed) ?? type(item))",
                        item)
                }
            }
        } else {
            for item in value.arrayValue ?? [value] { add("Content-Type: \(type(item))", item) }
        }
        bytes = body + Array("--\(boundary)--\r\n".utf8)
        self.boundary = boundary
    }

    /// The content type with the boundary.
    func type(_ type: String) -> String { type.contains(text: "boundary=") ? type : "\(type); boundary=\(boundary)" }
}

public import SDJSON
import SDStubModel

/// The compared parts of an answer.
public struct CheckedAnswer: Sendable {
    public var status: Int
    /// `Content-Type`; nil if there is none.
    public var contentType: String?
    public var body: [UInt8]

    public init(status: Int, contentType: String?, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// The media type without parameters, in lower case.
    var mediaType: String? {
        contentType.map { String($0.prefix { $0 != ";" }).trimmingBlanks.lowercased() }
    }

    /// The body as JSON, whatever its type; nil if it is empty or not JSON.
    var json: JSONValue? { body.isEmpty ? nil : try? JSONValue(parsing: body) }
}

/// How the real service's answer differs from the stub's: in status, type and structure, not in values.
public struct AnswerComparison: Sendable {
    public struct Finding: Sendable, Equatable {
        /// `status`, `Content-Type`, or a JSONPath of the body.
        public let path: String
        public let stub: String
        public let service: String

        public var description: String { "\(path): the stub has \(stub), the service \(service)" }

        public var json: JSONValue {
            ["path": .string(path), "stub": .string(stub), "service": .string(service)]
        }
    }

    /// Differences that may break a client that works with the stub.
    public private(set) var differences: [Finding] = []
    /// Differences that should not matter, such as members that the stub lacks.
    public private(set) var notes: [Finding] = []

    /// The maximum number of findings of either kind per stub.
    private static let most = 50

    /// - Parameter comparesBodies: false for answers without a body, such as those to HEAD.
    public init(stub: CheckedAnswer, service: CheckedAnswer, comparesBodies: Bool = true) {
        if stub.status != service.status {
            differences.append(Finding(path: "status", stub: "\(stub.status)", service: "\(service.status)"))
        }
        if let type = stub.mediaType, type != service.mediaType {
            differences.append(Finding(path: "Content-Type", stub: type, service: service.mediaType ?? "none"))
        }
        // An error has another structure; the status tells that.
        guard comparesBodies, stub.status / 100 == service.status / 100 else { return }
        switch (stub.json, service.json) {
        case (let expected?, let actual?): compare(JSONShape(expected), actual, "$")
        case (let expected?, nil):
            let found = service.body.isEmpty ? "no body" : "a body that is no JSON"
            differences.append(Finding(path: "$", stub: JSONShape(expected).words, service: found))
        case (nil, _): break
        }
    }

    private mutating func compare(_ shape: JSONShape, _ value: JSONValue, _ path: String) {
        let kind = JSONShape.Kind(value)
        guard shape.kinds.contains(kind) else {
            // A member that is null in the stub says nothing about the value.
            let isOpen = shape.kinds == [.null]
            return note(Finding(path: path, stub: shape.words, service: kind.rawValue), isDifference: !isOpen)
        }
        switch value {
        case .object(let object): compare(shape, object, path)
        case .array(let elements):
            guard let expected = shape.elements else { return }
            if elements.isEmpty {
                return note(Finding(path: path, stub: "elements", service: "an empty array"), isDifference: false)
            }
            for (index, element) in elements.enumerated() { compare(expected, element, "\(path)[\(index)]") }
        default: break
        }
    }

    private mutating func compare(_ shape: JSONShape, _ object: JSONObject, _ path: String) {
        for member in shape.members {
            let place = path + Self.step(member.key)
            if let value = object[member.key] {
                compare(member.shape, value, place)
            } else if !member.isOptional {
                note(Finding(path: place, stub: member.shape.words, service: "no such member"), isDifference: true)
            }
        }
        let known = Set(shape.members.map(\.key))
        for member in object.members where !known.contains(member.key) {
            let kind = JSONShape.Kind(member.value).rawValue
            note(
                Finding(path: path + Self.step(member.key), stub: "no such member", service: kind), isDifference: false)
        }
    }

    /// Adds a finding, unless one exists for another element of the same array.
    private mutating func note(_ finding: Finding, isDifference: Bool) {
        func isSame(_ other: Finding) -> Bool {
            other.stub == finding.stub && other.service == finding.service
                && Self.general(other.path) == Self.general(finding.path)
        }
        if isDifference {
            if differences.count < Self.most, !differences.contains(where: isSame) { differences.append(finding) }
        } else if notes.count < Self.most, !notes.contains(where: isSame) {
            notes.append(finding)
        }
    }

    /// The path without element indices.
    private static func general(_ path: String) -> String {
        var isIndex = false
        return String(
            path.filter { character in
                if character == "[" { isIndex = true }
                if character == "]" { isIndex = false }
                return !(isIndex && character.isNumber)
            })
    }

    /// Whether a byte is allowed in an unquoted name of a JSONPath.
    static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte >= 0x80
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func step(_ key: String) -> String {
        let isPlain = !key.isEmpty && key.utf8.allSatisfy(isNameByte)
        return isPlain ? "." + key : "[" + JSONValue.string(key).compactText + "]"
    }
}

import SDJSON

/// A step of a path shown in a report.
enum JSONPathStep {
    case name(String)
    case index(Int)
}

extension [JSONPathStep] {
    /// The path as JSONPath, such as `$.b.c[2]` and `$['odd name']`.
    var text: String {
        reduce(into: "$") { text, step in
            switch step {
            case .index(let index): text += "[\(index)]"
            case .name(let name) where name.isPlainName: text += ".\(name)"
            case .name(let name):
                text += "['"
                for character in name {
                    if character == "\\" || character == "'" { text += "\\" }
                    text.append(character)
                }
                text += "']"
            }
        }
    }
}

extension JSONPointer {
    /// The path in `document` as JSONPath.
    func path(in document: JSONValue) -> String {
        var steps: [JSONPathStep] = []
        var value: JSONValue? = document
        for token in tokens {
            if case .array = value, let index = Int(token) {
                steps.append(.index(index))
                value = value?[index]
            } else {
                steps.append(.name(token))
                value = value?[token]
            }
        }
        return steps.text
    }
}

extension String {
    fileprivate var isPlainName: Bool {
        guard let first = unicodeScalars.first, !(0x30...0x39).contains(first.value) else { return false }
        return unicodeScalars.allSatisfy {
            $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || (0x30...0x39).contains($0.value)
        }
    }
}

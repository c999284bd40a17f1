import SDJSON

/// Changes a document at one place as typing, merging and generating do.
struct DocumentMutation<Generator: RandomNumberGenerator> {
    var generator: Generator

    /// A document that differs from `json` in one value, with what was done.
    mutating func mutate(_ json: JSONValue) -> (json: JSONValue, text: String) {
        var places: [JSONPointer] = []
        gather(json, .root, &places)
        let place = places.randomElement(using: &generator) ?? .root
        let (value, text) = replacement(for: json[place] ?? .null, in: json, among: places)
        return (Self.replacing(json, place.tokens[...], with: value), "\(text) at \(place.text)")
    }

    private func gather(_ value: JSONValue, _ place: JSONPointer, _ places: inout [JSONPointer]) {
        places.append(place)
        switch value {
        case .object(let object):
            for member in object.members { gather(member.value, place.appending(member.key), &places) }
        case .array(let elements):
            for index in elements.indices { gather(elements[index], place.appending(index), &places) }
        default: break
        }
    }

    private mutating func replacement(
        for value: JSONValue, in json: JSONValue, among places: [JSONPointer]
    ) -> (JSONValue?, String) {
        let other = places.randomElement(using: &generator) ?? .root
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return (nil, "removed")
        case 1: return (.null, "null")
        case 2: return (["$ref": .string("#" + other.text)], "a reference to \(other.text)")
        case 3: return (json[other], "a copy of \(other.text)")
        case 4: return ([value, value], "a list of it")
        case 5: return (["x": value, "": 1], "an object of it")
        case 6: return (.number(JSONNumber(validText: "1e999999")), "a huge number")
        case 7: return (.bool(Bool.random(using: &generator)), "a flag")
        case 8:
            return (
                .string(["", "{", "/../..", "#/", "%", "\u{0}", "200"].randomElement(using: &generator) ?? ""), "a text"
            )
        default:
            guard case .object(let object) = value, let key = object.keys.randomElement(using: &generator) else {
                return ([:], "an empty object")
            }
            var changed = JSONObject()
            for member in object.members {
                changed[member.key == key ? String(key.dropLast()) + "_" : member.key] = member.value
            }
            return (.object(changed), "\(key) misspelt")
        }
    }

    private static func replacing(
        _ json: JSONValue, _ path: ArraySlice<String>, with value: JSONValue?
    ) -> JSONValue {
        guard let token = path.first else { return value ?? .null }
        let rest = path.dropFirst()
        switch json {
        case .object(var object):
            object[token] = rest.isEmpty ? value : replacing(object[token] ?? .null, rest, with: value)
            return .object(object)
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else { return json }
            if rest.isEmpty, value == nil {
                elements.remove(at: index)
            } else {
                elements[index] = replacing(elements[index], rest, with: value)
            }
            return .array(elements)
        default: return json
        }
    }
}

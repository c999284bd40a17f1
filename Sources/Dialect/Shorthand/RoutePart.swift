import SDJSON
import SDStubModel

/// A part of a multipart body in the shorthand: `{name: avatar, headers: {Content-Type: image/png}}`.
enum RoutePart {
    static let keys = DialectNames.part

    private static let otherNames = DialectNames.partAliases

    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MultipartPattern? {
        let example = "an object such as {name: avatar, body: {contains: x}}"
        guard let object = reader.fields(value, example, "not a part", isEmpty: false) else { return nil }
        var pattern = MultipartPattern(matchingType: .any)
        for member in object.members {
            reader.key(member, of: keys, otherNames: otherNames) { read(member, into: &pattern, &$0) }
        }
        pattern.requireDisposition()
        return pattern
    }

    private static func read(
        _ member: JSONObject.Member, into pattern: inout MultipartPattern, _ reader: inout ModelReader
    ) {
        switch member.key {
        case "name": pattern.name = reader.text(member.value)
        case "file": pattern.fileName = reader.text(member.value)
        case "every": pattern.matchingType = reader.bool(member.value) == true ? .all : .any
        case "headers":
            guard let object = reader.object(member.value, .multiValuePatterns) else { return }
            for header in object.members {
                let matcher = reader.within(header.key) { RouteMatcher.read(header.value, .multiValue, &$0) }
                if let matcher { pattern.headers.append(NamedMatcher(header.key, matcher)) }
            }
        case let key where RouteBody.keys.contains(key):
            pattern.bodyPatterns += RouteBody.read(member, &reader).map(\.matcher)
        default: break
        }
    }
}

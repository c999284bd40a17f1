import SDJSON
import SDJSONPath
import SDMatching

/// Asserts for a JSON text: writing and reading it again gives the same; a text by RFC 8259 means the same to the
/// lenient readers; an error has a position within the text; a value equals itself, also by `equalToJson`.
func fuzz(_ input: [UInt8]) {
    let strict = value(of: input, .rfc8259)
    let lenient = value(of: input, .lenient)
    let loose = LenientJSON.parse(input[...])
    if let strict {
        require(lenient == strict, "the lenient dialect reads \(strict.compactText) as it is")
        require(loose == strict, "the reader of bodies reads \(strict.compactText) as it is")
    }
    for value in [strict, lenient, loose].compactMap({ $0 }) { check(value) }
}

private func value(of input: [UInt8], _ dialect: JSONValue.Dialect) -> JSONValue? {
    do throws(JSONSyntaxError) {
        return try JSONValue(parsing: input, dialect: dialect)
    } catch {
        require((0...input.count).contains(error.position.offset), "the place of \(error) is in the text")
        require(!error.description.isEmpty, "a refusal says why")
        return nil
    }
}

private func check(_ value: JSONValue) {
    let compact = value.compactBytes
    for written in [compact, value.prettyBytes] {
        let again = try? JSONValue(parsing: written)
        require(again == value, "\(written.text) is read as it was written")
        require(again?.hashValue == value.hashValue, "equal values have equal hashes")
        require(again?.compactBytes == compact, "\(written.text) is written again as it was")
    }
    let isLiteral = !["${", "#{"].contains { compact.text.contains($0) }
    for options in 0..<4 {
        let equality = try? JSONEquality(
            expected: value, ignoreArrayOrder: options & 1 != 0, ignoreExtraElements: options & 2 != 0)
        guard let equality else {
            require(!isLiteral, "\(compact.text) is an operand of equalToJson")
            continue
        }
        let matches = equality.matches(value)
        require(matches || !isLiteral, "\(compact.text) equals itself")
        require(matches == (equality.distance(value) == 0), "\(compact.text) is at distance 0 exactly if it matches")
    }
}

import SDJSON
import SDJSONPath
import SDMatching

/// Asserts for a JSON text and, after a NUL, an expected document or a path: the text has a tape exactly if it is JSON
/// without a repeated key; the tape means the same as the tree, and paths and `equalToJson` have the same results.
func fuzz(_ input: [UInt8]) {
    let (text, other) = input.halves
    var outline = DocumentOutline()
    var repeated: [RepeatedKey] = []
    let tree = try? JSONValue(parsing: text, outline: &outline, repeatedKeys: &repeated)
    guard let tape = JSONTape(text[...]) else {
        if let other, let expected = try? JSONValue(parsing: other, dialect: .lenient) {
            require(!isFound(text, expected), "\(text.text) has no tape and equals nothing")
        }
        require(tree == nil || !repeated.isEmpty, "\(text.text) has a tape")
        return
    }
    require(repeated.isEmpty, "a key that comes twice in \(text.text) leaves no tape")
    guard let tree else { fatalError("the tape of \(text.text) has a tree") }
    require(tape.value.compactBytes == tree.compactBytes, "the tape of \(text.text) means what the tree means")
    compare(tape, tree, with: tree)
    guard let other else { return }
    if let expected = try? JSONValue(parsing: other, dialect: .lenient) { compare(tape, tree, with: expected) }
    for dialect in [JSONPath.Dialect.wireMock, .rfc9535] {
        guard let path = try? JSONPath(other.text, dialect: dialect) else { continue }
        let evaluation = path.evaluate(tree)
        // Among other reasons because the time was over, which it may not be again.
        if case .failed = evaluation { continue }
        require(path.evaluate(.tape(tape)) == evaluation, "\(other.text) finds the same on tape and tree")
        require(path.conclusion(.tape(tape)) == path.conclusion(.tree(tree)), "\(other.text) has one conclusion")
        require(path.absence(in: .tape(tape)) == path.absence(in: tree), "\(other.text) is absent for one reason")
    }
}

private func compare(_ tape: JSONTape, _ tree: JSONValue, with expected: JSONValue) {
    for options in 0..<8 {
        let equality = try? JSONEquality(
            expected: expected, ignoreArrayOrder: options & 1 != 0, ignoreExtraElements: options & 2 != 0,
            nullsEqualMissing: options & 4 != 0)
        guard let equality else { return }
        require(
            equality.matches(tape) == equality.matches(tree),
            "\(expected.compactText) equals tape and tree alike, \(options)")
        require(
            equality.matches(tree) || !equality.certainlyMatches(tape.bytes),
            "\(expected.compactText) does not equal the text, \(options)")
    }
}

private func isFound(_ text: [UInt8], _ expected: JSONValue) -> Bool {
    let equality = try? JSONEquality(expected: expected, ignoreArrayOrder: false, ignoreExtraElements: false)
    return equality?.certainlyMatches(text[...]) ?? false
}

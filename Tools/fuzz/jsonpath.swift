import SDJSON
import SDJSONPath

private let standIn: JSONValue = [
    "a": [1, 2.5, "x", .null, true, ["b": ["c": "é"], "a": []]], "b": ["a": 1, "b": [[1, 2], [3]]], "": "~",
]

/// Asserts for an expression and, after a NUL, a document: a definite path never yields a list, an evaluation gives the
/// same a second time, and the short forms agree with the long one. The fuzzer's time limit asserts that it ends.
func fuzz(_ input: [UInt8]) {
    let (expression, document) = input.halves
    let value = document.flatMap { LenientJSON.parse($0[...]) } ?? standIn
    for dialect in [JSONPath.Dialect.wireMock, .rfc9535] {
        do throws(JSONPathProblem) {
            check(try JSONPath(expression.text, dialect: dialect), value)
        } catch {
            require(!error.description.isEmpty, "a refusal says why")
        }
    }
}

private func check(_ path: JSONPath, _ value: JSONValue) {
    let evaluation = path.evaluate(value)
    // Among other reasons because the time was over, which it may not be again.
    if case .failed = evaluation { return }
    if case .list = evaluation {
        require(!path.isDefinite, "\(path.text) is definite and yields no list")
    }
    require(path.evaluate(value) == evaluation, "\(path.text) yields the same twice")
    require(path.matches(value) == (!value.isNull && evaluation.isMatch), "\(path.text) matches as it evaluates")
    if !value.isNull {
        require(path.wholeValue(in: value) == evaluation.wholeValue, "\(path.text) has one whole value")
    }
    _ = path.candidates(in: value)
    _ = path.evaluate(value, missing: .null)
}

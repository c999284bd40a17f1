import SDTestSupport
import SDXML
import Testing

/// Messages about invalid expressions.
@Suite(.enabled(if: XMLDocument.unavailable == nil, "libxml2 is not installed")) struct XPathProblemTests {
    @Test(arguments: [
        ("//[", "this is not allowed here, at character 3: \"[\""),
        ("", "something is missing, at the end of the expression"),
        ("//a[@b='c'", "a [ without its ], at the end of the expression"),
        ("count(//a", "something is missing, at the end of the expression"),
        ("//ä[@b='ü]", "a string in quotes does not end"), ("//ü[)]", "at character 5: \")]\""),
        ("$", "a name is expected after $"), ("a b", "this is not allowed here"),
        ("//" + String(repeating: "x", count: 30) + "[)" + String(repeating: "y", count: 30), "…\""),
    ])
    func aMistakeIsNamedWithItsPlace(expression: String, said: String) throws {
        let problem = try #require(XPath(expression, namespaces: nil).problem)
        #expect(problem.contains(said), "\(problem)")
        #expect(!problem.contains("libxml2"))
    }

    @Test(arguments: ["//a", "count(//a) > 3", "/a/b[@c='d']/text()", "nothing(1)", "p:a"])
    func aValidExpressionHasNoProblem(expression: String) {
        #expect(XPath(expression, namespaces: nil).problem == nil)
    }

    @Test(arguments: [
        ("nothing(1)", "there is no such function"), ("p:a", "a prefix is not declared"),
        ("count(1)", "an argument is of a type"), ("count()", "wrong number of arguments"),
        ("$a", "variable"),
    ])
    func failuresOnADocumentAreNamed(expression: String, said: String) throws {
        let document = try XMLDocument(parsing: Array("<a/>".utf8)[...], namespaceAware: false)
        guard case .failed(let reason) = XPath(expression, namespaces: nil).evaluate(document) else {
            Issue.record("\(expression) was evaluated")
            return
        }
        #expect(reason.contains(said), "\(reason)")
    }
}

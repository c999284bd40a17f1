import SDContracts
import SDXML
import Testing

@Suite(.enabled(if: XMLDocument.unavailable == nil))
struct XMLViolationTests {
    private static let schema = """
        {type: object, required: [id], xml: {name: pet}, properties: {
          id: {type: integer, xml: {attribute: true}}, name: {type: string, minLength: 2, xml: {name: Name}},
          tags: {type: array, xml: {wrapped: true}, items: {type: integer, xml: {name: tag}}},
          photo: {type: array, items: {type: string, maxLength: 3}},
          owner: {type: object, properties: {age: {type: integer}}}}}
        """

    @Test(
        arguments: [
            ("<pet id='1'><Name>Rex</Name></pet>", []),
            ("<pet id='x'/>", ["body /id type"]),
            ("<pet/>", ["body required"]),
            ("<dog id='1'/>", ["body xml"]),
            ("<p:pet xmlns:p='urn:x' id='1'><p:Name>R</p:Name></p:pet>", ["body /name minLength"]),
            ("<pet id='1'><tags><tag>1</tag><tag>b</tag></tags></pet>", ["body /tags/1 type"]),
            ("<pet id='1'><photo>abc</photo><photo>abcd</photo></pet>", ["body /photo/1 maxLength"]),
            ("<pet id='1'><photo>abcd</photo></pet>", ["body /photo/0 maxLength"]),
            ("<pet id='1'><owner><age>old</age></owner></pet>", ["body /owner/age type"]),
            ("<pet", ["body"]),
        ] as [(String, [String])])
    func bodies(body: String, expected: [String]) throws {
        let contract = try contract(schema: Self.schema, type: "application/xml")
        let violations = try contract.violations(body: body, type: "application/xml")
        #expect(violations.map(\.short) == expected, "\(violations.map(\.message))")
    }
}

import SDFolders
import Testing

@Suite struct StubFileTemplateTests {
    private static let id = "11111111-1111-4111-8111-111111111111"

    private func fileName(
        _ template: String, name: String = "", url: String = "/a", taken: Set<String> = []
    ) throws -> String {
        let values: [StubFileTemplate.Field: String] = [.name: name, .method: "GET", .url: url, .id: Self.id]
        return try StubFileTemplate(template).fileName({ values[$0] ?? "" }, isTaken: taken.contains)
    }

    /// WireMock 3.13.2's names, except for the last five, which it refuses or which are hidden names there.
    @Test(arguments: [
        ("{{#if name}}{{{name}}}{{else}}{{{method}}}-{{{url}}}{{/if}}-{{{id}}}.json", "", "get-a-#.json"),
        ("{{{name}}}.json", "My <stub> & Co/ä", "my-stub--co.json"),
        ("{{#if name}}{{{name}}}{{/if}}{{{id}}}.json", "", "#.json"),
        ("{{#if name}}{{{name}}}{{/if}}{{{id}}}.json", "My <stub> & Co/ä", "my-stub--co#.json"),
        ("{{{method}}}/{{{url}}}-{{{id}}}.json", "", "geta-#.json"),
        ("{{#if url}}U{{else}}N{{/if}}-{{{id}}}.json", "", "u-#.json"),
        ("{{{name}}}.json", "", "#.json"),
        ("..{{{id}}}.json", "", "#.json"),
        ("{{name}}.json", "x", "x.json"),
        ("{ {{{ id }}}}.json", "", "-#.json"),
    ])
    func namesAStub(template: String, name: String, expected: String) throws {
        let expected = expected.split(separator: "#", omittingEmptySubsequences: false).joined(separator: Self.id)
        #expect(try fileName(template, name: name) == expected)
    }

    @Test(arguments: [
        ("{{{id}}}", "ends in .json"), ("{{{id}}}.txt", "ends in .json"), ("", "ends in .json"),
        ("fixed.json", "at least one of {{{name}}}, {{{method}}}, {{{url}}}, {{{id}}}"),
        ("{{#if name}}a{{/if}}.json", "at least one of"),
        ("{{{priority}}}.json", "without {{{priority}}}"), ("{{{request.url}}}.json", "without {{{request.url}}}"),
        ("{{#unless name}}{{{id}}}{{/unless}}.json", "without {{#unless name}}"),
        ("{{#if}}x{{/if}}{{{id}}}.json", "without {{#if}}"), ("{{}}{{{id}}}.json", "without {{}}"),
        ("{{{id.json", "every {{{ has a }}}"), ("{{id.json", "every {{ has a }}"),
        ("{{#if name}}{{{id}}}.json", "every {{#if}} has an {{/if}}"),
        ("{{#if name}}a{{else}}{{{id}}}.json", "every {{#if}} has an {{/if}}"),
        ("{{#if name}}a{{else}}b{{else}}{{{id}}}{{/if}}.json", "every {{#if}} has an {{/if}}"),
        ("{{else}}{{{id}}}.json", "{{else}} is within"), ("{{/if}}{{{id}}}.json", "{{/if}} closes"),
        (String(repeating: "{{#if id}}", count: 9) + ".json", "at most 7 nested"),
    ])
    func errorsDescribeAValidTemplate(template: String, expected: String) {
        let problem = #expect(throws: StubFileTemplateProblem.self) { try StubFileTemplate(template) }
        #expect(problem?.expected.contains(expected) == true, "\(problem?.expected ?? "")")
    }

    @Test func aNameThatIsTakenGetsTheID() throws {
        #expect(try fileName("{{{name}}}.json", name: "x", taken: ["x.json"]) == "x-\(Self.id).json")
        // A stub may keep its own file name, whatever file has it.
        let own = "x-\(Self.id).json"
        #expect(try fileName("{{{name}}}-{{{id}}}.json", name: "x", taken: [own]) == own)
    }

    @Test func noNameIsTooLongForTheFileSystem() throws {
        let long = String(repeating: "n", count: 5_000)
        for template in ["{{{name}}}.json", "{{{name}}}{{{url}}}{{{id}}}.json", "{{{id}}}{{{id}}}{{{name}}}.json"] {
            let name = try fileName(template, name: long, url: "/" + long)
            #expect(name.utf8.count <= 255)
            #expect(name.contains(Self.id) || name.utf8.count <= 185)
        }
        #expect(try fileName("\(long){{{id}}}.json").utf8.count <= 255)
    }
}

import SDTemplating
import Testing

/// Helpers of other tools, which are told with the expression that they are here.
@Suite struct SuggestedExpressionTests {
    static let calls = [
        ("faker 'Name.first'", "random 'Name.firstName'"), ("faker 'name.firstName'", "random 'Name.firstName'"),
        ("faker 'internet.email'", "random 'Internet.emailAddress'"),
        ("faker 'person.lastName'", "random 'Name.lastName'"),
        ("urlParam 'id'", "path.id"), ("pathParam 'user-id'", "path.user-id"), ("queryParam 'q'", "request.query.q"),
        ("queryParam 'a b'", "request.query.[a b]"), ("header 'X-Id'", "request.headers.X-Id"),
        ("cookie 'sid'", "request.cookies.sid"), ("body 'user.name'", "jsonPath request.body '$.user.name'"),
        ("body '$.id'", "jsonPath request.body '$.id'"), ("int 1 5", "randomInt lower=1 upper=5"),
        ("int min=1 max=5", "randomInt lower=1 upper=5"), ("oneOf 'a' 'b'", "pickRandom 'a' 'b'"),
        ("add a 1", "math a '+' 1"), ("minus a b", "math a '-' b"), ("inc a", "math a '+' 1"),
        ("divide a 2", "math a '/' 2"), ("default x '1'", "defaultIfEmpty x '1'"),
        ("coalesce request.query.q 'a'", "defaultIfEmpty request.query.q 'a'"),
        ("request.query.page + 1", "math request.query.page '+' 1"), ("a * b", "math a '*' b"),
        ("toUpperCase request.query.name", "upper request.query.name"), ("lowerCase path.id", "lower path.id"),
    ]

    @Test(arguments: calls) func aHelperOfAnotherToolIsTold(call: String, meant: String) {
        let name = call.prefix { $0 != " " }
        let error = #expect(throws: TemplateError.self) { try Template("a {{\(call)}}") }
        #expect(error?.message == "there is no helper `\(name)`; did you mean `\(meant)`?")
        #expect(throws: Never.self) { try Template("a {{\(meant)}}") }
    }

    @Test(arguments: [
        ("request.headers['X-A']", "request.headers", "request.headers.X-A"),
        ("request.headers[X-A]", "request.headers", "request.headers.X-A"),
        ("request.query[\"a b\"].first", "request.query", "request.query.[a b].first"),
        ("request.path[0]", "request.path", "request.path.0"),
    ])
    func bracketsStandBehindADot(call: String, name: String, meant: String) {
        let error = #expect(throws: TemplateError.self) { try Template("a {{\(call)}}") }
        #expect(error?.message == "there is no helper `\(name)`; did you mean `\(meant)`?")
        #expect(throws: Never.self) { try Template("a {{\(meant)}}") }
    }

    /// Alone, such a name is a value that nothing has.
    @Test(arguments: [
        ("faker", "random 'Name.firstName'"), ("urlParam", "path.NAME"), ("uuid", "randomValue type='UUID'"),
        ("guid", "randomValue type='UUID'"), ("body", "request.body"), ("timestamp", "now format='unix'"),
    ])
    func aBareNameHasAMeaning(name: String, meant: String) {
        #expect(MeantExpression(name)?.text == meant)
        #expect(MeantExpression("elephant") == nil)
    }

    @Test(arguments: [
        ("{{#if a == 'x'}}y{{/if}}", " such as `==`; did you mean `{{#if (eq a 'x')}}`?"),
        ("{{#if a != 'x'}}y{{/if}}", " such as `!=`; did you mean `{{#if (neq a 'x')}}`?"),
        ("{{#if a && b}}y{{/if}}", " such as `&&`; did you mean `{{#if (and a b)}}`?"),
        (
            "{{#if a}}y{{else if 'x' === b.[c d] }}{{/if}}",
            " such as `===`; did you mean `{{else if (eq 'x' b.[c d])}}`?"
        ),
        ("{{ a == b }}", " such as `==`; did you mean `{{eq a b}}`?"),
        (
            "{{#if request.query.role == 'root'}}y{{/if}}",
            " such as `==`; did you mean `{{#if (eq request.query.role.first 'root')}}`?"
        ),
        (
            "{{#if request.headers.X != \"a b\"}}y{{/if}}",
            " such as `!=`; did you mean `{{#if (neq request.headers.X.first \"a b\")}}`?"
        ),
        (
            "{{#if request.method == 'GET'}}y{{/if}}",
            " such as `==`; did you mean `{{#if (eq request.method.value 'GET')}}`?"
        ),
        (
            "{{#if request.path == '/a'}}y{{/if}}",
            " such as `==`; did you mean `{{#if (eq (trim request.path) '/a')}}`?"
        ),
        (
            "{{#if request.query.page == 3}}y{{/if}}",
            " such as `==`; did you mean `{{#if (eq request.query.page.first '3')}}`?"
        ),
        ("{{#if a == 'x' && b}}y{{/if}}", ": `(eq A B)` stands for `A == B`, as in `{{#if (eq A B)}}`"),
        ("{{#if (eq a b) && c}}y{{/if}}", ": `(and A B)` stands for `A && B`, as in `{{#if (and A B)}}`"),
        ("{{#if !a}}y{{/if}}", ": `(not A)` stands for `!A`"),
    ])
    func operatorsAreHelpers(text: String, message: String) {
        let error = #expect(throws: TemplateError.self) { try Template(text) }
        #expect(error?.message == "there are no operators" + message)
    }

    /// An operator that has another one, or nothing, beside it.
    @Test(arguments: [
        "{{a =}}", "{{#if a = }}y{{/if}}", "{{= a}}", "{{a == == b}}", "{{a = = b}}", "{{a <> b}}", "{{(a >) < b}}",
        "{{eq a = b = c}}", "{{#if =}}y{{/if}}", "{{a =>}}", "{{a && || b}}",
    ])
    func operatorsMayStandAlone(text: String) {
        let error = #expect(throws: TemplateError.self) { try Template(text) }
        #expect(error?.message.isEmpty == false)
    }
}

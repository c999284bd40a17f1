import SDJSON
import SDStubModel
import Testing

@testable import SDJournal

/// What stubs expect, without the secrets in it.
@Suite struct RedactionPathTests {
    private func shown(_ request: JSONValue) throws -> String {
        let pattern = try StubMapping(json: ["request": request, "response": [:]]).request
        let redaction: Redaction? = Redaction()
        return (redaction.redacted(pattern).json).compactText
    }

    @Test(arguments: [
        #"{"matchesJsonPath": "$[?(@.password == 'hush')]"}"#,
        #"{"matchesJsonPath": "$.users[?(@.name == 'ada' && @.token==\"hush\")].id"}"#,
        #"{"matchesJsonPath": "$[?(@['password'] == 'hush')]"}"#,
        #"{"matchesJsonPath": "$[?(@.password =~ /hush.*/i)]"}"#,
        #"{"matchesJsonPath": "$[?(@.password in ['hush', 'hush2'])]"}"#,
        #"{"matchesJsonPath": "$[?('hush' == @.client_secret)]"}"#,
        #"{"matchesJsonPath": {"expression": "$.password", "equalTo": "hush"}}"#,
        #"{"matchesJsonPath": {"expression": "$['api_key']", "or": [{"contains": "hush"}, {"matches": "hush"}]}}"#,
        #"{"matchesXPath": "//user[password='hush']"}"#,
        #"{"matchesXPath": "//user[@token=\"hush\"]/name"}"#,
        #"{"matchesXPath": "//password[text()='hush']"}"#,
        #"{"matchesXPath": "//*[local-name()='password'][.='hush']"}"#,
        #"{"matchesXPath": {"expression": "//password/text()", "equalTo": "hush", "xPathNamespaces": {"a": "b"}}}"#,
        #"{"not": {"matchesJsonPath": "$[?(@.password == 'hush')]"}}"#,
        #"{"and": [{"matchesJsonPath": "$[?(@.password == 'hush')]"}, {"contains": "a"}]}"#,
    ])
    func literalsBesideTheNameOfASecretAreHidden(matcher: String) throws {
        let json = try JSONValue(parsing: Array(matcher.utf8))
        #expect(!(try shown(["bodyPatterns": [json]])).contains("hush"))
        #expect(!(try shown(["headers": ["X-Data": json]])).contains("hush"))
        #expect(
            !(try shown(["multipartPatterns": [["bodyPatterns": [json], "headers": ["X": json]]]])).contains("hush"))
    }

    @Test func aNumberThatASecretIsComparedWithIsHidden() throws {
        let text = try shown(["bodyPatterns": [["matchesJsonPath": "$[?(@.otp == 314159)]"]]])
        #expect(text.contains("@.otp == (redacted)") && !text.contains("314159"))
    }

    @Test(arguments: [
        "$.name", "$[?(@.name == 'ada')]", "$['a','b'][0]", "$..x[?(@.n > 5)]",
        "//user[@id='7']/name", "//user[@id=7]", "//user[name='a@b.example']", "//*[@id]", "//ns:user", "//a|//b:c",
        "count(//user)=2",
    ])
    func otherExpressionsStay(expression: String) throws {
        #expect(
            try shown(["bodyPatterns": [["matchesJsonPath": .string(expression)]]]).contains(
                JSONValue.string(expression).compactText))
    }

    @Test func credentialsAndOtherPlacesAreHidden() throws {
        #expect(
            try shown(["basicAuthCredentials": ["username": "ada", "password": "hush"]])
                == #"{"method":"ANY","basicAuthCredentials":{"username":"ada","password":"(redacted)"}}"#)
        for request: JSONValue in [
            ["multipartPatterns": [["headers": ["Authorization": ["equalTo": "hush"]]]]],
            ["customMatcher": ["name": "x", "parameters": ["password": "hush"]]],
            ["headers": ["X-Url": ["equalTo": "http://h/?token=hush"]]],
        ] {
            #expect(!(try shown(request)).contains("hush"))
        }
    }
}

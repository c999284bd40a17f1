import SDJSON
import SDPlatform
import Testing

@testable import SDContracts
@testable import SDOpenAPI

struct ContentChoiceTests {
    private func content(_ type: String) -> APIContent {
        APIContent(
            type: type, schema: nil, itemSchema: nil, examples: [], encoding: nil,
            place: DocumentSet.Place(pointer: .root))
    }

    private func chosen(_ types: [String], _ accept: String?) -> String? {
        ContentChoice.best(of: types.map(content), accept: accept.map { [$0] } ?? [])?.type
    }

    @Test(
        arguments: [
            (nil, "application/json"), ("*/*", "application/json"), ("application/xml", "application/xml"),
            ("text/*;q=0.5, application/xml;q=0.9", "application/xml"), ("application/*", "application/json"),
            ("text/csv", nil), ("*/*, application/json;q=0", "application/xml"), ("*", "application/json"),
            ("text/plain, application/json", "text/plain"), ("APPLICATION/JSON; charset=utf-8", "application/json"),
            ("application/json;q=0.2, */*;q=0.1", "application/json"), ("", "application/json"),
        ] as [(String?, String?)])
    func acceptDecides(accept: String?, type: String?) {
        #expect(chosen(["application/xml", "application/json", "text/plain"], accept) == type)
    }

    @Test func aRangeIsSentAsATypeOfIt() {
        #expect(chosen(["image/*"], "image/webp") == "image/webp")
        #expect(chosen(["image/*"], nil) == "image/png")
        #expect(chosen(["*/*"], "text/*") == "text/plain")
        #expect(chosen(["*/*"], "*/*") == "application/json")
        #expect(chosen(["text/*"], "application/json") == nil)
    }

    @Test func parametersCount() {
        let types = ["application/json;version=1", "application/json;version=2"]
        #expect(chosen(types, "application/json;version=2") == "application/json;version=2")
        #expect(chosen(types, "application/json") == "application/json;version=1")
        #expect(chosen(types, "application/json;version=3") == nil)
    }
}

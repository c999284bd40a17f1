import SDContracts
import Testing

struct ContractRequestTests {
    @Test func aRequestKeepsItsFieldsInOrder() {
        let request = ContractRequest(method: "GET", path: "/a", headers: [("B", "1"), ("A", "2")])
        #expect(request.headers.map(\.name) == ["B", "A"])
        #expect(request.query == nil)
    }
}

import SDContracts
import SDOpenAPI
import Testing

struct ContractFindTests {
    private static let paths = """
        openapi: 3.0.3
        info: {title: t, version: '1'}
        servers: [{url: /v1}]
        paths:
          /pets: {get: {responses: {}}, post: {responses: {}}}
          /pets/{petId}: {get: {responses: {}}, delete: {responses: {}}}
          /pets/mine: {get: {responses: {}}}
          /pets/{petId}.json: {get: {responses: {}}}
          /maps/{from}-{to}: {get: {responses: {}}}
          /maps/{x}: {get: {responses: {}}}
          /files/{path+}: {get: {responses: {}}}
          /a b/ü: {get: {responses: {}}}
          /{any}/mine: {put: {responses: {}}}
          /: {get: {responses: {}}}
        """

    @Test(
        arguments: [
            ("GET", "/pets", "GET /pets"), ("POST", "/pets", "POST /pets"),
            ("GET", "/pets/7", "GET /pets/{petId} petId=7"),
            ("GET", "/pets/mine", "GET /pets/mine"), ("DELETE", "/pets/mine", "DELETE /pets/{petId} petId=mine"),
            ("PUT", "/pets/mine", "PUT /{any}/mine any=pets"),
            ("GET", "/pets/7.json", "GET /pets/{petId}.json petId=7"),
            ("GET", "/pets/a%2Fb", "GET /pets/{petId} petId=a/b"),
            ("GET", "/maps/a-b", "GET /maps/{from}-{to} from=a to=b"),
            ("GET", "/maps/ab", "GET /maps/{x} x=ab"), ("GET", "/files/a/b/c", "GET /files/{path+} path=a/b/c"),
            ("GET", "/a%20b/%C3%BC", "GET /a b/ü"), ("GET", "/p%65ts", "GET /pets"), ("get", "/pets", "GET /pets"),
            ("GET", "/", "GET /"), ("PATCH", "/pets", "not allowed, but GET, POST"),
            ("POST", "/pets/mine", "not allowed, but DELETE, GET, PUT"), ("GET", "/pet", "nothing, nearest /pets"),
            ("GET", "/pets/", "nothing, nearest /pets"), ("GET", "/x/y/z/w", "nothing, nearest none"),
        ])
    func pathsAreFound(method: String, path: String, expected: String) throws {
        #expect(Self.text(try contract(Self.paths).find(method: method, path: path)) == expected)
    }

    @Test func aBasePathIsTakenAway() throws {
        let contract = try contract(Self.paths)
        #expect(Self.text(contract.find(method: "GET", path: "/v1/pets", underBase: true)) == "GET /pets")
        #expect(Self.text(contract.find(method: "GET", path: "/v10/pets", underBase: true)) == "nothing, nearest none")
    }

    private static func text(_ found: Contract.Found) -> String {
        switch found {
        case .operation(let operation, _, let values):
            ([operation.key] + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        case .wrongMethod(let allowed): "not allowed, but \(allowed.joined(separator: ", "))"
        case .nothing(let nearest): "nothing, nearest \(nearest ?? "none")"
        }
    }
}

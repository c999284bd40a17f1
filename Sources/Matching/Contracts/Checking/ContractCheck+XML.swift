import SDJSON
import SDOpenAPI

extension ContractCheck {
    mutating func xmlValue(_ body: [UInt8], _ content: APIContent) -> JSONValue? {
        nil
    }
}

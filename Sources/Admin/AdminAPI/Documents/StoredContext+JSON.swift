import SDJSON
import SDMockEngine
import SDRecords

extension StoredContext {
    /// The context with its name, in the admin API's form.
    func json(name: String) -> JSONValue {
        [
            "contextName": .string(name), "updateCount": number(updateCount),
            "properties": .object(properties), "list": .array(list.map { .object($0) }),
        ]
    }
}

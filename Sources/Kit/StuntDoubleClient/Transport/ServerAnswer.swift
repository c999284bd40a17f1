/// An answer of the server: status, header fields and body.
struct ServerAnswer: Sendable {
    var status: Int
    /// The fields in order, names as sent.
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// The first value of a header; `name` in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    var bodyText: String { String(decoding: body, as: UTF8.self) }
}

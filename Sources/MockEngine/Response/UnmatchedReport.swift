import HTTPTransport

/// What a client reads when no stub matched its request.
enum UnmatchedReport {
    static func text(_ request: Request, hasStubs: Bool) -> String {
        guard hasStubs else {
            return "No response could be served as there are no stub mappings in this WireMock instance."
        }
        let method = String(decoding: request.method, as: UTF8.self)
        let url = String(decoding: request.url, as: UTF8.self)
        return """

            Request was not matched

            \(method) \(url)

            The stubs that are served stand at /__admin/mappings

            """
    }
}

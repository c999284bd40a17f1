import SDHTTPMessages
import SDJSON
import SDMockEngine

/// `/__admin/docs`, `/__admin/swagger-ui` and `/__admin/docs/swagger`: the documentation of the admin API, for people
/// and tools.
enum DocumentationRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/docs", page).anyQuery,
        AdminRoute("GET", "/swagger-ui", page).anyQuery,
        AdminRoute("GET", "/swagger-ui/index.html", page).anyQuery,
        AdminRoute("GET", "/docs/swagger", document).anyQuery,
    ]

    private static func document(_ call: AdminCall) -> PlainResponse {
        .json(OpenAPIDocument.json(version: call.options.version))
    }

    /// A page without scripts and without resources from elsewhere.
    private static func page(_ call: AdminCall) -> PlainResponse {
        let page = OpenAPIPage(OpenAPIDocument.json(version: call.options.version))
        let headers = [
            (name: "Content-Type", value: "text/html;charset=UTF-8"),
            (name: "Content-Security-Policy", value: "default-src 'none'; style-src 'unsafe-inline'"),
        ]
        return PlainResponse(status: 200, headers: headers, body: Array(page.html.utf8))
    }
}

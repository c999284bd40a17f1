import SDMatching
import SDPlatform
package import SDRequestTemplates
package import SDStubModel
package import SDTemplating

/// A stub's proxy definition, compiled. Its texts are templates if those of the stub are.
package struct ProxyPlan: Sendable {
    private let base: Template
    /// The parsed base URL; nil for a template, and for a URL that is not absolute.
    let known: ProxyBase?
    private let prefix: String?
    private let headers: HeaderTemplates
    private let additional: [(name: String, value: Template)]
    let removed: Set<String>
    /// The response definition, reduced to the fields that are used.
    package let definition: ResponseDefinition
    let isTemplated: Bool

    /// Whether answers are rewritten to name this server instead of the other one.
    let rewritesHost: Bool
    /// Whether the other server is called over HTTP/2.
    let speaksHTTP2: Bool

    /// The plan's templates rendered for one request.
    package struct Rendered {
        var base: String
        var prefix: String?
        var additional: [(name: String, value: String)]
        /// The fields to add to the answer.
        package var headers: [ResponseHeader]
    }

    /// - Throws: the template with an error, with its path in the response.
    package init(_ definition: borrowing ResponseDefinition, _ mode: TemplatingMode) throws(UnreadableTemplate) {
        self.definition = copy definition
        isTemplated = mode.applies(to: definition)
        base = try Self.template(definition.proxyBaseUrl ?? "", at: ["proxyBaseUrl"], isTemplated)
        known = base.isPlain ? definition.proxyBaseUrl.flatMap { ProxyBase($0) } : nil
        rewritesHost = definition.transformers.contains(ProxyDefinition.rewritingTransformer)
        speaksHTTP2 = definition.proxyHttp2 ?? false
        prefix = definition.proxyUrlPrefixToRemove
        headers = isTemplated ? try HeaderTemplates(definition) : HeaderTemplates()
        var additional: [(name: String, value: Template)] = []
        // As in WireMock, the first of several values of one name is sent.
        for header in definition.additionalProxyRequestHeaders {
            guard let value = header.values.first else { continue }
            let path = ["additionalProxyRequestHeaders", header.name]
            additional.append((header.name, try Self.template(value, at: path, isTemplated)))
        }
        self.additional = additional
        removed = Set(definition.removeProxyRequestHeaders.map { $0.lowercased() })
    }

    private static func template(
        _ text: String, at path: [String], _ isTemplated: Bool
    ) throws(UnreadableTemplate) -> Template {
        guard isTemplated else { return Template(plain: text) }
        do throws(TemplateError) {
            return try Template(text)
        } catch {
            throw UnreadableTemplate(path: path, error: error)
        }
    }

    /// Whether there is nothing to render.
    package var isPlain: Bool { base.isPlain && headers.isEmpty && additional.allSatisfy { $0.value.isPlain } }

    /// - Throws: why a template cannot be rendered.
    package func rendered(_ environment: @autoclosure () -> RenderEnvironment) throws(RenderError) -> Rendered {
        if isPlain, let plain { return plain }
        let environment = environment()
        var definition = definition
        try headers.render(into: &definition, environment)
        var fields: [(name: String, value: String)] = []
        for (name, value) in additional { fields.append((name, try value.text(environment))) }
        return Rendered(
            base: try base.text(environment).trimmingBlanks, prefix: prefix, additional: fields,
            headers: definition.headers)
    }

    /// The result for every request, if there is nothing to render.
    private var plain: Rendered? {
        guard isPlain else { return nil }
        return Rendered(
            base: definition.proxyBaseUrl ?? "", prefix: prefix,
            additional: definition.additionalProxyRequestHeaders.compactMap { header in
                header.values.first.map { (header.name, $0) }
            }, headers: definition.headers)
    }
}

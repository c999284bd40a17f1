import SDMatching
import SDPlatform
package import SDRequestTemplates
package import SDStubModel
package import SDTemplating

/// What a stub says about the requests that it sends on, read once. Its texts are templates where those of the stub are.
package struct ProxyPlan: Sendable {
    private let base: Template
    /// The base, read; nil for a template, and for one that is not absolute.
    let known: ProxyBase?
    private let prefix: String?
    private let headers: HeaderTemplates
    private let additional: [(name: String, value: Template)]
    let removed: Set<String>
    /// The response without what is not looked at.
    package let definition: ResponseDefinition
    let isTemplated: Bool

    /// Whether answers name this server where they name the other one.
    let rewritesHost: Bool
    /// Whether the other server is called in HTTP/2.
    let speaksHTTP2: Bool

    /// What is true of one request.
    package struct Rendered {
        var base: String
        var prefix: String?
        var additional: [(name: String, value: String)]
        /// The fields that are added to the answer.
        package var headers: [ResponseHeader]
    }

    /// - Throws: the template that cannot be read, with its path in the response.
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
        // As in WireMock, of several values of one name the first is sent.
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

    /// Whether nothing is to be rendered.
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

    /// What is true of every request, if nothing is to be rendered.
    private var plain: Rendered? {
        guard isPlain else { return nil }
        return Rendered(
            base: definition.proxyBaseUrl ?? "", prefix: prefix,
            additional: definition.additionalProxyRequestHeaders.compactMap { header in
                header.values.first.map { (header.name, $0) }
            }, headers: definition.headers)
    }
}

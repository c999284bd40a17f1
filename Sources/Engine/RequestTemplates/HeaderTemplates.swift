package import SDStubModel
package import SDTemplating

/// A template with an error, and the path of its field in the response.
package struct UnreadableTemplate: Error {
    package let path: [String]
    package let error: TemplateError

    package init(path: [String], error: TemplateError) {
        self.path = path
        self.error = error
    }
}

/// The headers of a response whose values have expressions.
package struct HeaderTemplates: Sendable {
    private var headers: [(place: Int, values: [Template])] = []

    /// No templates: every value is literal.
    package init() {}

    /// - Throws: the first value with an error.
    package init(_ definition: borrowing ResponseDefinition) throws(UnreadableTemplate) {
        for (place, header) in definition.headers.enumerated() {
            var values: [Template] = []
            for value in header.values {
                do throws(TemplateError) {
                    values.append(try Template(value))
                } catch {
                    throw UnreadableTemplate(path: ["headers", header.name], error: error)
                }
            }
            if !values.allSatisfy(\.isPlain) { headers.append((place, values)) }
        }
    }

    package var isEmpty: Bool { headers.isEmpty }

    /// Renders the values into their definition.
    /// - Throws: why a value cannot be rendered.
    package func render(into definition: inout ResponseDefinition, _ environment: RenderEnvironment) throws(RenderError)
    {
        for (place, templates) in headers {
            var values: [String] = []
            for template in templates { values.append(try template.text(environment)) }
            definition.headers[place].values = values
        }
    }
}

extension Template {
    /// The rendered text.
    /// - Throws: why it cannot be rendered.
    package func text(_ environment: RenderEnvironment) throws(RenderError) -> String {
        String(decoding: try render(environment), as: UTF8.self)
    }
}

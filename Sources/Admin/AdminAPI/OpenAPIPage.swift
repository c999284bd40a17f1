import SDJSON
import SDReportForms

/// An OpenAPI document as a page with its operations by tag, and its schemas. Needs no scripts and no external
/// resources.
struct OpenAPIPage {
    private let document: JSONValue

    init(_ document: JSONValue) {
        self.document = document
    }

    var html: String {
        let title = escaped(document["info"]?["title"]?.stringValue ?? "")
        let version = escaped(document["info"]?["version"]?.stringValue ?? "")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>
            body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
            body { color: #222; background: #fff }
            code, pre, summary { font-family: monospace }
            pre { background: #f4f4f4; padding: .5em; overflow: auto }
            summary { cursor: pointer; padding: .2em 0 }
            summary b { display: inline-block; min-width: 5em }
            summary span { font-family: sans-serif; color: #555 }
            details > div { margin: 0 0 1em 2em }
            @media (prefers-color-scheme: dark) { body { color: #ddd; background: #111 } pre { background: #222 }
            summary span { color: #aaa } a { color: #8cf } }
            </style>
            </head>
            <body>
            <h1>\(title) <small>\(version)</small></h1>
            <p>\(escaped(document["info"]?["description"]?.stringValue ?? ""))
            For tools: <a href="/__admin/docs/swagger">the OpenAPI document</a>.</p>
            \(tags.joined(separator: "\n"))
            <h2>Schemas</h2>
            \(schemas.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private var tags: [String] {
        (document["tags"]?.arrayValue ?? []).map { tag in
            let name = tag["name"]?.stringValue ?? ""
            return "<h2>\(escaped(name))</h2>\n<p>\(escaped(tag["description"]?.stringValue ?? ""))</p>\n"
                + operations(of: name).joined(separator: "\n")
        }
    }

    private func operations(of tag: String) -> [String] {
        var found: [String] = []
        for path in document["paths"]?.objectValue?.members ?? [] {
            for operation in path.value.objectValue?.members ?? [] {
                guard operation.value["tags"]?.arrayValue == [.string(tag)] else { continue }
                let parameters =
                    (path.value["parameters"]?.arrayValue ?? []) + (operation.value["parameters"]?.arrayValue ?? [])
                found.append(section(operation.key.uppercased(), path.key, operation.value, parameters))
            }
        }
        return found
    }

    private func section(_ method: String, _ path: String, _ operation: JSONValue, _ parameters: [JSONValue]) -> String
    {
        let summary = escaped(operation["summary"]?.stringValue ?? "")
        var lines = ["<details><summary><b>\(method)</b> \(escaped(path)) <span>\(summary)</span></summary><div>"]
        let rows = parameters.map(resolved).map { parameter in
            let name = escaped(parameter["name"]?.stringValue ?? "")
            return "<li><code>\(name)</code> \(escaped(parameter["description"]?.stringValue ?? ""))</li>"
        }
        if !rows.isEmpty { lines.append("<p>Parameters</p><ul>\(rows.joined())</ul>") }
        if let content = operation["requestBody"]?["content"] { lines.append("<p>Body: \(body(content))</p>") }
        let answers = (operation["responses"]?.objectValue?.members ?? []).map { response in
            let text = escaped(response.value["description"]?.stringValue ?? "")
            return "<li><code>\(response.key)</code> \(text) \(response.value["content"].map(body) ?? "")</li>"
        }
        lines.append("<p>Answers</p><ul>\(answers.joined())</ul></div></details>")
        return lines.joined(separator: "\n")
    }

    /// The media types of a body, with links to their schemas.
    private func body(_ content: JSONValue) -> String {
        let types = (content.objectValue?.members ?? []).map { type in
            let name = type.value["schema"]?["$ref"]?.stringValue?.split(separator: "/").last.map(String.init)
            let link = name.map { "<a href=\"#\(escaped($0))\">\(escaped($0))</a>" }
            return "<code>\(escaped(type.key))</code>" + (link.map { " " + $0 } ?? "")
        }
        return types.joined(separator: ", ")
    }

    private var schemas: [String] {
        (document["components"]?["schemas"]?.objectValue?.members ?? []).map { schema in
            let name = escaped(schema.key)
            return "<h3 id=\"\(name)\">\(name)</h3>\n<pre>\(escaped(schema.value.prettyText))</pre>"
        }
    }

    /// The target of a reference within the document.
    private func resolved(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.stringValue, reference.hasPrefix("#"),
            let pointer = JSONPointer(text: String(reference.dropFirst()))
        else { return value }
        return document[pointer] ?? value
    }

    private func escaped(_ text: String) -> String { Markup.text(text, keepingLines: true) }
}

import SDJSON
import SDStubModel
import SDTemplating

/// Asserts for a template and, after a NUL, the text of a request: one that is read renders or says why not, renders
/// the same a second time, and never makes more than its limits allow; one that is refused has a place in the text. The
/// fuzzer's time limit asserts that it ends.
func fuzz(_ input: [UInt8]) {
    let (text, body) = input.halves
    let template: Template
    do throws(TemplateError) {
        template = try Template(text)
    } catch {
        require(error.line >= 1 && error.column >= 1 && !error.message.isEmpty, "a refusal says where and why")
        return
    }
    require(template.isPlain || Template.isTemplate(text), "only a template has something to render")
    let model = FuzzModel(body: (body ?? Array(#"{"a": [1, "x", {"b": null}]}"#.utf8)).text)
    func environment() -> RenderEnvironment {
        RenderEnvironment(model: model, budget: fuzzBudget, system: FuzzSystem(), limits: fuzzLimits)
    }
    let first = render(template, environment())
    if template.isPlain { require(first == text, "plain text stands for itself") }
    // Among other reasons because the time was over, which it may not be again.
    guard let first else { return }
    if let second = render(template, environment()) { require(second == first, "the same numbers give the same text") }
}

private struct FuzzModel: TemplateObject {
    let body: String

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "body": .text(body)
        case "list": .list([.int(1), .text("two"), .double(3.5), .null])
        case "map": .map(TemplateMap([("key", .text("value")), ("list", .list([.bool(true)]))]))
        case "number": .int(42)
        case "values": .values([.text("a"), .text("b")])
        case "text": .text("  Some <b>text</b>, é 😀 ")
        default: nil
        }
    }

    var text: String { "{body=\(body)}" }
    var members: [(key: String, value: TemplateValue)]? { [("body", .text(body)), ("number", .int(42))] }
}

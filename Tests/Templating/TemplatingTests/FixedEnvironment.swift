@testable import SDTemplating

/// A system that says the same each time.
final class FixedSystem: RenderSystem {
    func random() -> UInt64 { 4 }
    let wallTime: UInt64 = 1_600_000_000_000_000_000
    let hostName = "host"
    func systemValue(_ key: String, isProperty: Bool) -> SystemValue { .denied }
}

/// A model of some values.
struct FixedModel: TemplateObject {
    let values: [String: TemplateValue]
    func member(_ name: String) -> TemplateValue? { values[name] }
    var text: String { "model" }
}

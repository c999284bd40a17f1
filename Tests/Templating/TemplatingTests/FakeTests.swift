import SDFakeValues
import SDPlatform
import SDTestSupport
import Testing

@testable import SDTemplating

/// Made-up values: names as WireMock's faker extension spells them, and shapes that hold.
@Suite struct FakeTests {
    private final class System: RenderSystem {
        var generator: TestGenerator
        init(_ seed: UInt64) { generator = TestGenerator(seed: seed) }
        func random() -> UInt64 { generator.next() }
        let wallTime: UInt64 = 0
        let hostName = "host"
        func systemValue(_ key: String, isProperty: Bool) -> SystemValue { .denied }
    }

    private struct Model: TemplateObject {
        func member(_ name: String) -> TemplateValue? { name == "random" ? .text("a value") : nil }
        let text = "model"
    }

    private func render(_ template: String, seed: UInt64 = 1) throws -> String {
        let environment = RenderEnvironment(model: Model(), budget: WorkBudget(), system: System(seed))
        return String(decoding: try Template(template).render(environment), as: UTF8.self)
    }

    @Test func everyNameMakesSomething() throws {
        #expect(FakeValues.names.count > 200)
        for name in FakeValues.names {
            for seed in UInt64(1)...20 {
                let text = try render("{{random '\(name)'}}", seed: seed)
                #expect(!text.isEmpty && !text.contains("ERROR"), "\(name): \(text)")
            }
        }
    }

    @Test func namesAreReadAsTheyAreWritten() throws {
        #expect(try render("{{random 'Name.first_name'}}") == render("{{random 'name.firstName'}}"))
        #expect(try render("{{random 'Name.firstNam'}}") == "[ERROR: Unable to evaluate the expression Name.firstNam]")
        #expect(try render("{{random}}") == "a value")
    }

    @Test func aSeedGivesTheSameValue() throws {
        let template =
            "{{random 'Name.fullName' seed='x'}} {{random 'Name.fullName' seed='x'}} {{random 'Name.fullName'}}"
        let words = try render(template).split(separator: " ")
        #expect(words.prefix(2) == words.dropFirst(2).prefix(2))
        #expect(try render(template, seed: 2).split(separator: " ").prefix(2) == words.prefix(2))
        #expect(try render(template) == render(template))
        let drawn = Set(try (UInt64(1)...40).map { try render("{{random 'Name.fullName'}}", seed: $0) })
        #expect(drawn.count > 30)
    }

    @Test(arguments: [
        ("Internet.uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"),
        ("Address.zipCode", "^[0-9]{5}$"), ("Internet.ipV4Address", "^[0-9]{1,3}(\\.[0-9]{1,3}){3}$"),
        ("Commerce.price", "^[0-9]+\\.[0-9]{2}$"), ("Address.latitude", "^-?[0-9]{1,2}\\.[0-9]{6}$"),
        ("Color.hex", "^#[0-9a-f]{6}$"), ("Internet.safeEmailAddress", "^[a-z.]+@example\\.com$"),
        ("Internet.macAddress", "^[0-9a-f]{2}(:[0-9a-f]{2}){5}$"), ("Date.birthday", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
    ])
    func valuesHaveTheirShapes(name: String, shape: String) throws {
        for seed in UInt64(1)...50 {
            #expect(try render("{{matches (random '\(name)') '\(shape)'}}", seed: seed) == "true", "\(name) \(seed)")
        }
    }

    /// Numbers that others check by their last digits.
    @Test func numbersWithCheckDigitsAreValid() throws {
        for seed in UInt64(1)...50 {
            let card = try render("{{random 'Finance.creditCard'}}", seed: seed).compactMap(\.wholeNumberValue)
            #expect(card.count == 16)
            let luhn = card.reversed().enumerated().reduce(0) { sum, each in
                let doubled = each.element * 2
                return sum + (each.offset % 2 == 1 ? doubled / 10 + doubled % 10 : each.element)
            }
            #expect(luhn % 10 == 0)
            let code = try render("{{random 'Code.ean13'}}", seed: seed).compactMap(\.wholeNumberValue)
            #expect(code.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) } % 10 == 0)
            let iban = try render("{{random 'Finance.iban'}}", seed: seed)
            #expect(iban.utf8.count == 22)
            let moved = String(iban.dropFirst(4) + iban.prefix(4))
            let rest = moved.reduce(0) { rest, character in
                let value = character.wholeNumberValue ?? Int(character.asciiValue ?? 0) - 55
                return (rest * (value > 9 ? 100 : 10) + value) % 97
            }
            #expect(rest == 1, "\(iban)")
        }
    }
}

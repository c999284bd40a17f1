import SDPlatform
import SDTemplating

/// Renders within the limits of a fuzzer; nil if the template cannot be rendered.
func render(_ template: Template, _ environment: RenderEnvironment) -> [UInt8]? {
    do throws(RenderError) {
        let text = try template.render(environment)
        require(text.count <= fuzzLimits.output, "the output is bounded")
        return text
    } catch {
        require(!error.message.isEmpty, "a failure says why")
        return nil
    }
}

/// What a template may make: a megabyte.
let fuzzLimits: RenderLimits = {
    var limits = RenderLimits()
    limits.output = 1 << 20
    return limits
}()

/// The budget of one rendering.
var fuzzBudget: WorkBudget { WorkBudget(limit: 50_000_000) }

/// A system that is the same each time.
final class FuzzSystem: RenderSystem {
    private var state: UInt64 = 7
    func random() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
    let wallTime: UInt64 = 1_767_225_600_000_000_000
    let hostName = "host"
    func systemValue(_ key: String, isProperty: Bool) -> SystemValue { .value(key) }
    func value(of call: ServerCall) throws(RenderError) -> TemplateValue { call.parameter(0) }
}

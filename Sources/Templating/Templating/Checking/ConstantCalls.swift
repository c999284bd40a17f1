import SDBasics
import SDFakeValues
import SDPlatform

/// A call in a template that fails for every request.
struct FailingCall {
    /// The byte offset of the call in the template.
    let offset: Int
    /// A sentence without a full stop.
    let message: String
    /// What is valid there.
    let expected: String
    let suggestion: String?
}

/// Finds helper calls that fail for every request, by making the calls whose parameters are constant.
struct ConstantCalls {
    private var found: [FailingCall] = []
    /// The calls with blocks, whose body may be a parameter.
    private let ofBlocks: Set<ObjectIdentifier>
    /// Created for the first call, because most templates have none.
    private lazy var renderer = Renderer(
        RenderEnvironment(model: NoModel(), budget: WorkBudget(limit: Self.limit), system: ConstantSystem()), after: [])

    /// The time for the calls of a template; nearly all take far less.
    private static let limit: UInt64 = 5_000_000 * WorkBudget.slowness

    static func failures(in template: Template) -> [FailingCall] {
        var calls = ConstantCalls(ofBlocks: Self.blocks(in: template.nodes))
        template.nodes.forEachCall { calls.look(at: $0) }
        return calls.found
    }

    private init(ofBlocks: Set<ObjectIdentifier>) {
        self.ofBlocks = ofBlocks
    }

    private static func blocks(in nodes: [TemplateNode]) -> Set<ObjectIdentifier> {
        var found: Set<ObjectIdentifier> = []
        for node in nodes {
            switch node {
            case .text, .output, .json: break
            case .block(let block):
                found.insert(ObjectIdentifier(block.expression))
                found.formUnion(blocks(in: block.body))
                found.formUnion(blocks(in: block.inverse))
            case .partial(let partial): found.formUnion(blocks(in: partial.fallback ?? []))
            case .inline(_, let body): found.formUnion(blocks(in: body))
            }
        }
        return found
    }

    /// Helpers whose calls cannot be checked: they read the session or store their parameters.
    private static let others: Set = [
        "state", "counter", "data", "journal", "hmac", "jwt", "jwks", "jwtClaim", "claims", "claimsObject",
        "systemValue", "hostname", "assign", "val", "parseJson", "formData", "partial", "block", "each", "with",
        "lookup", "log", "if", "unless",
    ]
    private static let clocks: Set = ["now", "date"]

    private mutating func look(at expression: TemplateExpression) {
        guard let helper = expression.helper, !Self.others.contains(helper.name),
            !ofBlocks.contains(ObjectIdentifier(expression)),
            !expression.isBare || helper.precedence == .always
        else { return }
        var call = expression
        if Self.clocks.contains(helper.name) {
            // The date itself does not matter for its offset and format.
            call = TemplateExpression(
                subject: expression.subject, hash: expression.hash.filter { Self.isConstant($0.value) },
                offset: expression.offset)
        } else if expression.parameters.isEmpty && expression.hash.isEmpty {
            return
        }
        guard call.parameters.allSatisfy(Self.isConstant), call.hash.allSatisfy({ Self.isConstant($0.value) }) else {
            return
        }
        // Of nested calls that fail, only the inner one is reported.
        for case .call(let inner) in call.parameters + call.hash.map(\.value) {
            if (try? renderer.value(of: inner)) == nil { return }
        }
        let outcome: String
        let consequence: String
        do throws(RenderError) {
            guard case .text(let text) = try renderer.value(of: call), text.hasPrefix(Self.errorStart),
                text.hasSuffix("]")
            else { return }
            (outcome, consequence) = (String(text.dropFirst(Self.errorStart.count).dropLast()), "so it prints this")
        } catch {
            if error == .outOfTime || renderer.environment.budget.isSpent { return }
            (outcome, consequence) = (error.message, "so every request gets a 500")
        }
        let message =
            outcome.hasPrefix("\(helper.name):") || outcome.hasPrefix("\(helper.name) ")
            ? outcome : "\(helper.name): \(outcome)"
        found.append(
            FailingCall(
                offset: expression.offset, message: "\(message), \(consequence)",
                expected: "parameters that the helper takes", suggestion: Self.suggestion(call)))
    }

    private static let errorStart = "[ERROR: "

    private static func isConstant(_ operand: TemplateOperand) -> Bool {
        switch operand {
        case .literal: true
        case .path: false
        case .call(let expression):
            expression.helper.map { !others.contains($0.name) } ?? false
                && expression.parameters.allSatisfy(isConstant)
                && expression.hash.allSatisfy { isConstant($0.value) }
        }
    }

    /// The call that was probably meant.
    private static func suggestion(_ call: TemplateExpression) -> String? {
        guard let helper = call.helper else { return nil }
        func text(_ option: String) -> String? {
            guard case .literal(.text(let text))? = call.hash.last(where: { $0.name == option })?.value else {
                return nil
            }
            return text
        }
        if clocks.contains(helper.name) {
            return text("offset").flatMap(DateHelpers.meantOffset).map { "offset='\($0)'" }
        }
        if helper.name == "jsonPath", call.parameters.count == 1, case .literal(.text(let path)) = call.parameters[0],
            path.hasPrefix("$")
        {
            return "jsonPath request.body \(call.parameters[0].written)"
        }
        if helper.name == "random", case .literal(.text(let name))? = call.parameters.first {
            return nearestName(to: FakeValues.key(name), among: FakeValues.names)
        }
        return nil
    }
}

/// A model without members.
private struct NoModel: TemplateObject {
    var text: String { "" }
    func member(_ name: String) -> TemplateValue? { nil }
}

/// A server with a fixed time and no session.
private final class ConstantSystem: RenderSystem {
    func random() -> UInt64 { 0 }
    var wallTime: UInt64 { 1_767_225_600_000_000_000 }
    var hostName: String { "localhost" }
    func systemValue(_ key: String, isProperty: Bool) -> SystemValue { .missing }
}

import SDJSON
import SDMatching
import SDPlatform
import SDTemplating

/// Asserts for a template and a request (`template NUL URL NUL header NUL body`): what is written straight from the
/// request is what a model of it gives, no request makes a template take more than its limits, and every number and
/// document of a request is one that each helper survives. Without a template of its own, the input is read by `usual`.
func fuzz(_ input: [UInt8]) {
    let parts = input.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count == 4 else { return }
    let request = TemplatedRequest(url: parts[1], header: parts[2], body: parts[3])
    for text in parts[0].isEmpty ? usual.map({ Array($0.utf8) }) : [parts[0]] {
        guard let template = try? Template(text) else { continue }
        let slow = render(
            template,
            RenderEnvironment(
                model: request, budget: fuzzBudget, system: FuzzSystem(), limits: fuzzLimits))
        let fast = render(template, DirectEnvironment(request))
        // Either may have run out of time.
        if let slow, let fast { require(slow == fast, "a value is the same in both ways: \(slow.text) \(fast.text)") }
    }
}

/// Templates that have their numbers, texts and documents from the request.
private let usual: [String] = {
    let n = "(jsonPath request.body '$.n')"
    let j = "(parseJson request.body)"
    let helpers = [
        "numberFormat 1.5 maximumFractionDigits=N minimumFractionDigits=N", "numberFormat N request.query.q",
        "numberFormat J maximumIntegerDigits=N minimumIntegerDigits=N", "stringFormat request.query.q N J",
        "ljust request.query.q size=N pad=request.headers.X", "center 'x' size=N", "wordWrap request.body N",
        "abbreviate request.body N", "substring request.body N", "range N 10", "range 0 N", "randomInt lower=N upper=7",
        "randomInt lower=-7 upper=N", "randomDecimal lower=N upper=7", "randomValue length=N", "math N '*' N",
        "math N '/' N", "math N '%' N", "math N '+' J", "lookup J N", "arrayAdd J N position=N",
        "arrayRemove J position=N", "pickRandom J count=N", "eq J J", "contains J N", "join J request.query.q",
        "arrayJoin request.query.q J", "toJson J", "formatJson request.body", "jsonMerge '{}' request.body",
        "jsonRemove request.body request.query.q", "jsonSort request.body request.query.q",
        "jsonArrayAdd request.body request.headers.X maxItems=N", "jsonPath request.body request.query.q",
        "xPath request.body request.query.q", "formatXml request.body", "now offset=request.query.q",
        "now format=request.query.q timezone=request.headers.X", "parseDate request.body format=request.query.q",
        "matches request.body request.query.q", "regexExtract request.body request.query.q",
        "base64 request.body decode=true",
        "urlEncode request.body decode=true encoding=request.headers.X", "formData request.body urlDecode=true",
        "replace request.body request.query.q request.headers.X", "random request.query.q",
    ]
    let calls = helpers.map { "{{" + $0.replacing("N", with: n).replacing("J", with: j) + "}}" }
    return calls + [
        "{{#each (range 1 N)}}{{val (array a) assign='a'}}{{/each}}{{toJson a}}".replacing("N", with: n),
        "{{request.path.id}}{{request.query.q}}{{request.headers.X}}{{now}}{{randomValue type='UUID'}}{{path.id}}",
        "{{#if request.query.q}}{{request.headers.x}}{{else}}{{request.body}}{{/if}}{{#unless request.headers.X}}-{{/unless}}",
        "{{#each \(j) as |v|}}{{@index}}{{v}}{{request.query.q}}{{/each}}",
    ]
}()

/// A request as templates see it. A class, so that both environments look at the same one.
private final class TemplatedRequest: TemplateObject, Sendable {
    let request: FuzzRequest
    let text = "request"

    init(url: [UInt8], header: [UInt8], body: [UInt8]) {
        var request = FuzzRequest(url: url)
        request.headers = [(Array("x".utf8), header[...])]
        request.body = body[...]
        self.request = request
    }

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "request":
            .map(TemplateMap([("query", query), ("headers", headers), ("body", .text(Array(request.body).text))]))
        default: nil
        }
    }

    private var headers: TemplateValue {
        let value = TemplateValue.values(request.headers.map { .text(Array($0.value).text) })
        return .map(TemplateMap([("x", value), ("X", value)]))
    }

    private var query: TemplateValue {
        var views = RequestViews(request, budget: fuzzBudget)
        var members = TemplateMap()
        for parameter in request.query == nil ? [] : views.queryParameters() ?? [] {
            let name = Array(parameter.name).text
            if members[name] == nil { members[name] = .values([.text(Array(parameter.value).text)]) }
        }
        return .map(members)
    }
}

/// An environment that writes values straight from the request.
private final class DirectEnvironment: RenderEnvironment {
    private let source: TemplatedRequest

    init(_ source: TemplatedRequest) {
        self.source = source
        super.init(model: source, budget: fuzzBudget, system: FuzzSystem(), limits: fuzzLimits)
    }

    override func write(_ value: DirectValue, to output: inout [UInt8]) -> Bool {
        switch value {
        case .header(let name):
            guard let header = source.request.headers.first(where: { $0.name == name }) else { return false }
            output += Array(header.value).text.utf8
        case .query(let name):
            var views = RequestViews(source.request, budget: budget)
            guard source.request.query != nil,
                let parameter = views.queryParameters()?.first(where: { $0.name.elementsEqual(name) })
            else { return false }
            output += Array(parameter.value).text.utf8
        case .pathVariable: return false
        case .now: Self.writeNow(source.request.wallTime, to: &output)
        case .uuid: writeUUID(to: &output)
        }
        return true
    }
}

import SDBasics
import SDStubModel

/// Prism's command lines, so that scripts need to change one word only: `stuntdouble mock DOCUMENT -p 4010 -h 127.0.0.1
/// -d --errors` and `stuntdouble proxy DOCUMENT URL`.
struct PrismArguments {
    /// The equivalent arguments of `serve`.
    private(set) var arguments: [String] = []
    private var isDynamic = false
    private var failsOnErrors = false
    private var sendsCORS = true
    private var isProxy = false
    /// The server behind `proxy`; nil for `mock`.
    private var target: String?

    /// - Returns: nil if the command line is not Prism's, such as one with a folder named `mock`.
    init?(_ arguments: [String], fileExists: (String) -> Bool) throws(CommandLineError) {
        guard let word = arguments.first, ["mock", "proxy"].contains(word) else { return nil }
        isProxy = word == "proxy"
        var operands: [String] = []
        var others: [String] = []
        var port = "4010"
        var host: String?
        var rest = arguments.dropFirst()[...]
        /// The value of an option, after `=` or in the next argument.
        func value(_ inline: String?, _ name: String) throws(CommandLineError) -> String {
            if let inline { return inline }
            guard let next = rest.popFirst() else { throw .missingValue(option: name, placeholder: "VALUE", next: nil) }
            return next
        }
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let inline = parts.count > 1 ? parts[1] : nil
            let isOn = inline.map { $0 != "false" } ?? true
            switch parts[0] {
            case "-p", "--port": port = try value(inline, parts[0])
            case "-h", "--host": host = try value(inline, parts[0])
            case "-d", "--dynamic", "--ignoreExamples": isDynamic = isOn
            case "--errors": failsOnErrors = isOn
            case "--cors": sendsCORS = isOn
            case "--no-cors": sendsCORS = false
            case "-m", "--multiprocess", "--no-multiprocess", "--no-errors", "--no-dynamic": break
            case "-v", "--verboseLevel": _ = try value(inline, parts[0])
            case "--seed":
                // Prism accepts any text as a seed. It has no use here: the same request always gets the same answer.
                let seed = try value(inline, parts[0])
                if Int(seed) != nil { others += ["--seed", seed] }
            default:
                if parts[0].hasPrefix("--json-schema-faker") {
                    if inline == nil, rest.first?.hasPrefix("-") == false { _ = rest.popFirst() }
                } else {
                    others.append(argument)
                    let option = OptionTable.options.first { "--" + $0.name == parts[0] }
                    if let option, option.value != .flag, inline == nil, let next = rest.popFirst() {
                        others.append(next)
                    }
                }
            }
        }
        guard let document = operands.first else { return nil }
        guard fileExists(document) else {
            throw .invalidValue(
                .argument("DOCUMENT"), found: document, expected: "the path of a file that exists, an OpenAPI document")
        }
        if isProxy {
            guard operands.count == 2, operands[1].hasPrefix("http://") || operands[1].hasPrefix("https://") else {
                throw .invalidValue(
                    .argument("URL"), found: operands.dropFirst().first ?? "nothing",
                    expected: "the URL of the server after the document, such as https://api.example")
            }
            target = operands[1]
        } else if operands.count > 1 {
            throw .unexpectedArgument(operands[1], command: .serve)
        }
        self.arguments = ["serve", document, "--port", port]
        if let host { self.arguments += ["--bind-address", host == "localhost" ? "127.0.0.1" : host] }
        if let target { self.arguments += ["--pass-through", target] }
        self.arguments += others
    }

    /// Applies Prism's options.
    func apply(to options: inout ServeOptions) {
        options.followsPrism = true
        options.failsOnViolations = failsOnErrors
        options.openAPIAnswers = isDynamic ? .made : .examples
        options.openAPIValidation = isProxy && !failsOnErrors ? .warn : .enforce
        options.checksContractsOnly = isProxy
        if sendsCORS { options.stubCORS = true }
    }
}

import SDXML

/// Asserts for an XPath expression and, after a NUL, a document (without a NUL, a document alone): a document equals
/// itself with all options but placeholders, pretty and compact texts are documents again, and an expression matches as
/// it evaluates.
func fuzz(_ input: [UInt8]) {
    let halves = input.halves
    let text = halves.second ?? halves.first
    let expression = halves.second == nil ? "//*[@a='1']|//@*|//text()" : halves.first.text
    checkTexts(text)
    checkEquality(text)
    let paths = [XPath(expression, namespaces: nil), XPath(expression, namespaces: [("p", "urn:p"), ("q", "urn:q")])]
    for path in paths {
        guard let document = document(text, namespaceAware: path.isNamespaceAware) else { continue }
        check(path, document)
    }
}

private func document(_ text: [UInt8], namespaceAware: Bool) -> XMLDocument? {
    do throws(XMLProblem) {
        return try XMLDocument(parsing: text[...], namespaceAware: namespaceAware)
    } catch {
        require(!error.isUnavailable, "libxml2 is there")
        require(!error.description.isEmpty, "a refusal says why")
        return nil
    }
}

private func check(_ path: XPath, _ document: XMLDocument) {
    let problem = path.problem
    let result = path.evaluate(document)
    let isMatch =
        switch result {
        case .nodes(let nodes): !nodes.isEmpty
        case .value: true
        case .failed(let reason): reason.isEmpty
        }
    if case .failed(let reason) = result {
        require(!reason.isEmpty, "a failure says why")
    } else {
        require(problem == nil, "\(path.expression) has a problem and is evaluated")
    }
    require(path.matches(document) == isMatch, "\(path.expression) matches as it evaluates")
}

/// Checks only UTF-8, because an operand is text whatever encoding it declares.
private func checkEquality(_ text: [UInt8]) {
    guard Array(text.text.utf8) == text else { return }
    for awareness in XMLEquality.NamespaceAwareness.allCases {
        for isLoose in [false, true] {
            var options = XMLEquality.Options()
            options.namespaceAwareness = awareness
            options.ignoreOrderOfSameNode = isLoose
            options.enablePlaceholders = isLoose
            guard let equality = try? XMLEquality(expected: text.text, options: options) else { continue }
            let matches = equality.matches(text[...])
            let distance = equality.distance(text[...])
            require((0...1).contains(distance), "\(distance) is a distance")
            if isLoose { continue }
            require(matches && distance == 0, "\(text.text) equals itself, \(awareness), distance \(distance)")
        }
    }
}

private func checkTexts(_ text: [UInt8]) {
    for pretty in [XMLText.pretty(text[...]), XMLText.prettyKeepingBlankText(text[...]), XMLText.compact(text[...])] {
        guard let pretty else { continue }
        let again = try? XMLDocument(parsing: Array(pretty.utf8)[...], namespaceAware: false)
        require(again != nil, "\(pretty) is a document")
    }
}

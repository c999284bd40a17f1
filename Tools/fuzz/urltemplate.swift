import SDStubModel

@testable import SDMatching

/// Asserts for a `urlPathTemplate` and, after a NUL, a path: the shape by which an index files the stub includes every
/// path that matches; exactly the paths that match have captures, which put in place of the variables make the path
/// again.
func fuzz(_ input: [UInt8]) {
    let (text, rest) = input.halves
    let path = (rest ?? text).prefix { $0 != UInt8(ascii: "?") }
    guard let template = PathTemplate(text.text),
        let pattern = try? CompiledPattern(RequestPattern(url: .urlPathTemplate(text.text)))
    else { return }
    let request = FuzzRequest(url: Array(path))
    var views = RequestViews(request)
    let matches = pattern.matches(request, &views)
    require(matches == template.matches(path), "a pattern of \(template.text) alone matches as the template does")
    let captures = template.captures(of: path)
    require(matches == (captures != nil), "\(template.text) captures of \(Array(path).text) exactly if it matches")
    guard let captures else { return }
    require(captures.count == template.names.count, "\(template.text) captures once for each name")
    require(
        template.joined(captures) == Array(path), "what \(template.text) captured of \(Array(path).text) joins back")
    switch pattern.place {
    case .anywhere: break
    case .shape(let shape): require(shape.takesIn(path), "the shape of \(template.text) takes in \(Array(path).text)")
    case .url, .path: require(false, "\(template.text) is filed under a shape")
    }
}

extension PathTemplate {
    fileprivate func joined(_ captures: [ArraySlice<UInt8>]) -> [UInt8] {
        var captures = captures[...]
        return tokens.flatMap { token in
            if case .literal(let literal) = token { literal } else { Array(captures.popFirst() ?? []) }
        }
    }
}

extension PathShape {
    /// Whether the shape includes a path, by definition rather than by the quicker way of an index.
    fileprivate func takesIn(_ path: ArraySlice<UInt8>) -> Bool {
        var path = path
        for step in steps {
            switch step {
            case .literal(let literal):
                guard path.starts(with: literal) else { return false }
                path = path.dropFirst(literal.count)
            case .segment:
                let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
                guard end > path.startIndex else { return false }
                path = path[end...]
            }
        }
        return isOpen || path.isEmpty
    }
}

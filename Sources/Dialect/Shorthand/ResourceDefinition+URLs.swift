package import SDStubModel

extension ResourceDefinition {
    /// The patterns of its paths: that of the collection, those of its records, and that of the collection with a slash
    /// at its end, unless it is one itself.
    package var urls: [URLPattern] {
        let base = path == "/" ? "" : path
        let taken = URLPattern.variables(of: base)
        var variable = key.filter { !"{}/?*.;".contains($0) }
        while variable.isEmpty || taken.contains(variable) { variable += "_" }
        func whole(_ path: String) -> URLPattern { path.contains("{") ? .urlPathTemplate(path) : .urlPath(path) }
        return [whole(path), .urlPathTemplate(base + "/{" + variable + "}")] + (base.isEmpty ? [] : [whole(base + "/")])
    }
}

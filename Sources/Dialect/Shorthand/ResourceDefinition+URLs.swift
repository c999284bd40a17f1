package import SDStubModel

extension ResourceDefinition {
    /// The patterns of its two paths: that of the collection, and those of its records.
    package var urls: [URLPattern] {
        let base = path == "/" ? "" : path
        let taken = RoutePath.variables(of: base)
        var variable = key.filter { !"{}/?*.;".contains($0) }
        while variable.isEmpty || taken.contains(variable) { variable += "_" }
        return [
            path.contains("{") ? .urlPathTemplate(path) : .urlPath(path),
            .urlPathTemplate(base + "/{" + variable + "}"),
        ]
    }
}

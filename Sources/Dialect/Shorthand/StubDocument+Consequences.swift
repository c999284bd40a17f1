import SDBasics
import SDJSON
import SDStubModel

extension [ModelProblem] {
    /// Whether any is about an unknown name.
    var unknownPlaces: [JSONPointer] { filter(\.isUnknownName).compactMap(\.place.parent) }

    /// The problems without those that an unknown name in the same object explains: with `nme` for `name`, that a name is
    /// missing, or that what stands beside it has nothing to belong to. One mistake is told once.
    /// - Parameter places: the objects with unknown names.
    func withoutConsequences(of places: [JSONPointer]) -> [ModelProblem] {
        if places.isEmpty { return self }
        return filter { problem in
            let isExplained =
                places.contains(problem.place)
                || problem.isAboutName && problem.place.parent.map { places.contains($0) } ?? false
            return problem.isUnknownName || !isExplained
        }
    }
}

extension ModelProblem {
    fileprivate var isUnknownName: Bool {
        message.hasPrefix("unknown key ") || message.hasPrefix("unknown field ")
            || isAboutName && message.contains(text: "\" belongs ")
    }
}

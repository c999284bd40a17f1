import SDBasics
import SDJSON
import SDStubModel

extension [ModelProblem] {
    /// The objects with unknown names.
    var unknownPlaces: [JSONPointer] { filter(\.isUnknownName).compactMap(\.place.parent) }

    /// The problems without consequences of an unknown name in the same object: with `nme` for `name`, a missing name,
    /// or members that depend on it. Each mistake is reported once.
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

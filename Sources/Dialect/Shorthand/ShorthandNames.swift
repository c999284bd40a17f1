/// The keys that the reader of routes knows, for descriptions of the shorthand such as its JSON Schema.
package enum ShorthandNames {
    /// The keys of each object of the shorthand, by the name of its definition in the schema.
    package static var tables: [String: [String]] {
        [
            "routeResponse": RouteShorthand.responseKeys, "routeEntry": RouteShorthand.entryKeys + ["weight"],
            "routeSequence": RouteSequence.objectKeys,
            "routeResource": RouteResource.keys, "defaults": RouteDefaults.keys, "scenario": RouteScenario.keys,
            "when": RouteConditions.keys, "part": RoutePart.keys,
        ]
    }

    /// The words in place of a path's method, and the keys beside routes.
    package static let resourceWord = RouteKey.resourceWord
    package static let methods = RouteKeySpelling.methods
}

// Whoever imports the kit gets the dialect's values, too.
@_exported public import JSON
@_exported public import StubModel

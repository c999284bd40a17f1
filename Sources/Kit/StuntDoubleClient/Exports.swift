// Whoever imports the kit gets the dialect's values, too.
@_exported public import SDJSON
@_exported public import SDStubModel

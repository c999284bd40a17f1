// What programs beside the tests share with them is in a target of its own, because it must build without Testing.
@_exported public import SDTestData

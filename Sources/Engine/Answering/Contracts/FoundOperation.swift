package import SDContracts
package import SDOpenAPI

/// An operation of a contract that is served.
package struct FoundOperation: Sendable {
    package let contract: ServedContract
    /// The index of the operation.
    package let index: Int

    package init(_ contract: ServedContract, _ index: Int) {
        self.contract = contract
        self.index = index
    }

    package var operation: APIOperation { contract.operation(index) }
}

/// The reason why there is no operation, as a clause.
package struct OperationRefusal: Error {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// How the run used contracts.
extension Report {
    /// A kind of violation of a contract.
    public struct ContractViolation: Sendable {
        /// The name of the document.
        public var contract: String
        /// The operation, such as `GET /pets/{petId}`.
        public var operation: String
        /// `request` or `answer`.
        public var side: String
        /// The location, what was expected and what was found.
        public var text: String
        /// How often it occurred.
        public var count: Int
        /// The session in which it occurred; nil for the report's own session.
        public var test: Test?

        public init(
            contract: String, operation: String, side: String, text: String, count: Int, test: Test? = nil
        ) {
            self.contract = contract
            self.operation = operation
            self.side = side
            self.text = text
            self.count = count
            self.test = test
        }
    }

    /// How requests used a contract.
    public struct ContractCoverage: Sendable {
        /// The name of the document.
        public var name: String
        /// Its operations, in the order of the document.
        public var operations: [Operation]

        /// How requests used an operation.
        public struct Operation: Sendable {
            /// The operation, such as `GET /pets/{petId}`.
            public var key: String
            /// The number of its requests.
            public var count: Int
            /// The declared statuses, such as `404`, `5XX` and `default`, with the number of answers.
            public var statuses: [(status: String, count: Int)]
            /// The answered statuses that are not declared.
            public var undeclared: [Int]
            /// The parameters, such as `query limit`, and whether a request had them.
            public var parameters: [(name: String, isUsed: Bool)]
            /// The number of requests and answers that violated the contract.
            public var violations: Int

            public init(
                key: String, count: Int, statuses: [(status: String, count: Int)], undeclared: [Int],
                parameters: [(name: String, isUsed: Bool)], violations: Int
            ) {
                self.key = key
                self.count = count
                self.statuses = statuses
                self.undeclared = undeclared
                self.parameters = parameters
                self.violations = violations
            }
        }

        public init(name: String, operations: [Operation]) {
            self.name = name
            self.operations = operations
        }

        /// The number of operations with requests.
        public var usedOperations: Int { operations.count { $0.count > 0 } }
        /// The number of declared statuses, and of those that were answered.
        public var statuses: (used: Int, all: Int) {
            operations.reduce((0, 0)) { ($0.0 + $1.statuses.count { $0.count > 0 }, $0.1 + $1.statuses.count) }
        }
        /// The number of parameters, and of those that requests had.
        public var parameters: (used: Int, all: Int) {
            operations.reduce((0, 0)) { ($0.0 + $1.parameters.count { $0.isUsed }, $0.1 + $1.parameters.count) }
        }
        /// The operations without requests.
        public var unused: [Operation] { operations.filter { $0.count == 0 } }
    }
}

extension Report.ContractViolation: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        contract = shown(contract)
        operation = shown(operation)
        text = shown(text)
        test?.change(shown)
    }
}

extension Report.ContractCoverage: ReportEntry {
    mutating func change(_ shown: (String) -> String) {
        name = shown(name)
        for index in operations.indices {
            operations[index].key = shown(operations[index].key)
            for place in operations[index].parameters.indices {
                operations[index].parameters[place].name = shown(operations[index].parameters[place].name)
            }
        }
    }

    var rest: Int { operations.count * 100 }
}

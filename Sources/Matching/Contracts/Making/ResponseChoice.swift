import SDOpenAPI

/// The response chosen for an operation, with its status.
struct ResponseChoice {
    var response: APIResponse
    var status: Int

    /// The response for a status; without one the lowest success, else the default, else the lowest of all.
    /// - Returns: nil if the operation has none.
    init?(of operation: APIOperation, status wanted: Int?) {
        let responses = operation.responses
        func first(_ code: APIResponse.Code) -> APIResponse? { responses.first { $0.code == code } }
        if let wanted {
            // A 1xx status does not end an exchange, and from 600 on there are no classes.
            guard wanted >= 200 else { return nil }
            let others = wanted < 600 ? first(.range(wanted / 100)) ?? first(.standard) : nil
            guard let found = first(.status(wanted)) ?? others else { return nil }
            self.init(response: found, status: wanted)
            return
        }
        let ranked = responses.map { response -> (rank: Int, status: Int, response: APIResponse) in
            switch response.code {
            case .status(let status):
                return (status / 100 == 2 ? status : status < 200 ? 9_000 + status : 1_000 + status, status, response)
            case .range(let number):
                let status = number * 100
                return (number == 2 ? 299 : number < 2 ? 9_999 : 1_099 + status, max(status, 200), response)
            case .standard: return (300, 200, response)
            }
        }
        guard let best = ranked.min(by: { $0.rank < $1.rank }), best.status >= 200 else { return nil }
        self.init(response: best.response, status: best.status)
    }

    private init(response: APIResponse, status: Int) {
        self.response = response
        self.status = status
    }

    /// The statuses of an operation as text.
    static func list(of operation: APIOperation) -> String {
        operation.responses.map { response in
            switch response.code {
            case .status(let status): "\(status)"
            case .range(let number): "\(number)XX"
            case .standard: "default"
            }
        }.joined(separator: ", ")
    }
}

import SDAnswering
import SDBasics
import SDHTTPMessages
import SDJSON
import SDLinting
import SDMatching
import SDMockEngine
import SDStubFiles
import SDStubModel
import SDStubs

/// Checks the stubs in a call's body without adding them.
struct StubCheck {
    /// The stubs that could be parsed; the first is tried first.
    private(set) var stubs: [StubMapping] = []
    /// Errors and warnings, with their locations in the body.
    private(set) var problems: [FileDiagnostic] = []
    /// The stubs that would be served.
    private(set) var drafts: [CompiledStub] = []
    /// Stubs that would never answer because of the drafts, and stubs because of which a draft would not.
    private(set) var hidden: [StubReference] = []
    private(set) var hiding: [StubReference] = []

    /// The name of the body in messages.
    private static let name = "body"

    /// The body, for locating problems.
    private var file: ParsedStubFile
    /// The index of each of `stubs` in the body.
    private var places: [Int] = []
    private let limits: CheckLimits
    /// Findings in the stubs whose locations are not known yet, by index.
    private var unplaced:
        (errors: [(stub: Int, problem: ModelProblem)], warnings: [(stub: Int, problem: ModelProblem)]) =
            ([], [])

    /// Whether the stubs would be added.
    var isValid: Bool { !problems.contains { $0.severity == .error } }

    /// Checks the body of a call.
    /// - Parameters:
    ///   - text: the body.
    ///   - id: the stub to replace; nil to add stubs.
    ///   - newID: the seed for ids of stubs without one; the id itself for a JSON mapping without one.
    init(
        _ text: [UInt8], of call: AdminCall, inPlaceOf id: StubMapping.ID?, newID: StubMapping.ID,
        _ limits: CheckLimits
    ) {
        self.limits = limits
        file = ParsedStubFile(mapping: text, named: Self.name)
        let format = call.formatOfStubs(text)
        if let format {
            readFile(text, format, newID, call.session)
        } else {
            readMapping(text, newID, call)
        }
        if let id {
            if stubs.count == 1 { stubs[0].id = id }
            if stubs.count > 1 {
                report("the body has \(stubs.count) stubs", expected: "one, which takes the place of one")
            }
        }
        compile(call.session, isEdit: id != nil)
        placeAll()
        if !drafts.isEmpty {
            lookAround(call.session)
            limits.note("the stubs that these would hide, or be hidden by")
        }
        placeAll()
        problems = problems.inFileOrder
    }

    private mutating func report(_ message: String, expected: String? = nil) {
        problems.append(
            FileDiagnostic(
                severity: .error, file: Self.name, position: TextPosition(line: 1, column: 1, offset: 0),
                message: message, expected: expected))
    }

    // MARK: Reading

    private mutating func readFile(
        _ text: [UInt8], _ format: StubFile.Format, _ newID: StubMapping.ID, _ session: Session
    ) {
        file = StubFile.read(text, format: format, path: Self.name, idSeed: newID.lowercasedString, keepsGood: true)
        let limits = limits
        file.checkBadStubs { limits.goesOn() ? session.problems(of: $0).map(ModelProblem.init) : [] }
        problems = file.diagnostics
        if let reason = file.reasonToSkip { report("this is no stub file: \(reason)") }
        if let set = file.faultSets.first {
            report("the set of faults \(set.name) is only for a file", expected: "stubs")
        }
        if file.cors != nil { report("`cors` for a whole folder is only for a file", expected: "stubs") }
        if !file.messageStubs.isEmpty { report("a WebSocket is only for a file", expected: "stubs") }
        stubs = file.stubs.reversed()
        places = file.stubs.indices.reversed()
        if stubs.isEmpty, isValid { report("the body has no stubs") }
    }

    private mutating func readMapping(_ text: [UInt8], _ newID: StubMapping.ID, _ call: AdminCall) {
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONValue(parsing: text, dialect: .lenient)
        } catch {
            var found = FileDiagnostic(
                severity: .error, file: Self.name, position: error.position, message: "not valid JSON",
                expected: error.expected, found: error.found)
            if AdminCall.isForYAML(text) {
                found.message += "; YAML is sent with the header Content-Type: application/yaml"
            }
            problems = [found]
            return
        }
        var reader = ModelReader(warns: true)
        var stub = StubMapping.read(json, &reader)
        if json["id"] == nil, json["uuid"] == nil { stub.id = newID }
        place(reader.problems, .error, inStubAt: 0)
        place(reader.warnings, .warning, inStubAt: 0)
        placeAll()
        guard reader.problems.isEmpty else { return }
        (stubs, places) = ([stub], [0])
    }

    /// Adds a stub's problems, without warnings at locations that already have one.
    private mutating func place(
        _ found: [ModelProblem], _ severity: FileDiagnostic.Severity, inStubAt index: Int
    ) {
        if severity == .error { unplaced.errors += found.map { (index, $0) } }
        if severity == .warning { unplaced.warnings += found.map { (index, $0) } }
    }

    /// Locates all new findings in one pass over the text.
    private mutating func placeAll() {
        let told = Set(problems.map(\.pointer))
        problems += file.diagnostics(for: unplaced.errors, severity: .error)
        problems += file.diagnostics(for: unplaced.warnings, severity: .warning).filter { !told.contains($0.pointer) }
        unplaced = ([], [])
    }

    // MARK: Checking

    private mutating func compile(_ session: Session, isEdit: Bool) {
        var ids: Set<StubMapping.ID> = []
        var looked = 0
        for (stub, index) in zip(stubs, places) {
            guard limits.goesOn() else {
                limits.note("\((stubs.count - looked).of("stub")) of \(stubs.count)")
                return
            }
            looked += 1
            if !isEdit, session.stub(stub.id) != nil || !ids.insert(stub.id).inserted {
                let taken = ModelProblem(
                    pointer: JSONPointer(["id"]), message: "another stub has the id \(stub.idText)",
                    expected: "an id of its own, or none")
                place([taken], stubs.count == 1 ? .error : .warning, inStubAt: index)
            }
            do throws(StubRefusal) {
                drafts.append(try session.compiledDraft(stub))
                place(session.warnings(about: stub), .warning, inStubAt: index)
            } catch .unserved(_, let found) {
                place(found.map(ModelProblem.init), .error, inStubAt: index)
            } catch {
                report("\(error)")
            }
        }
    }

    /// Checks the drafts against the other stubs.
    private mutating func lookAround(_ session: Session) {
        let ids = Set(drafts.map(\.id))
        let places = Dictionary(zip(stubs.map(\.id), places)) { first, _ in first }
        for finding in session.findings(about: drafts, in: session.stubs(with: drafts), while: limits.goesOn) {
            guard ids.contains(finding.stub.id) else {
                if finding.other != nil { hidden.append(finding.stub) }
                continue
            }
            var problem = ModelProblem(
                pointer: finding.pointer, isAboutName: finding.isAboutName || finding.other != nil,
                message: finding.message, expected: finding.expected, suggestion: finding.suggestion)
            if let (other, precedence) = finding.other {
                hiding.append(other)
                problem.message += " \(other.text()), " + precedence.words
            }
            if let place = places[finding.stub.id] { self.place([problem], .warning, inStubAt: place) }
        }
    }
}

extension StubFinding.Precedence {
    /// For example `which has priority 1`.
    fileprivate var words: String {
        switch self {
        case .priority(let number): "which has priority \(number)"
        case .newer: "which is tried before it"
        }
    }
}

extension ModelProblem {
    fileprivate init(_ problem: ServingProblem) {
        self.init(pointer: problem.pointer, isAboutName: true, message: problem.message)
    }
}

import SDAnswering
import SDHTTPMessages
public import SDLinting
public import SDMatching
import SDRequestTemplates
public import SDStubModel
import SDStubs
import Synchronization

extension Session {
    /// Whether stubs' responses are templates by default.
    var areTemplates: Bool { options.response.templating == .global }

    /// The warnings about a stub that a call adds: parts that are valid but probably not intended, and templates with
    /// errors, whose requests get a 500.
    public func warnings(about mapping: StubMapping) -> [ModelProblem] {
        let found =
            StubLint.findings(in: mapping, isTemplate: areTemplates).map(\.problem) + contractProblems(of: mapping)
        // `compile` would record properties of the stub, which may still be refused.
        guard StubLint.hasTemplates(mapping, isTemplate: areTemplates),
            let stub = try? CompiledStub(mapping, sequence: 0, file: nil, options: options.response)
        else { return found }
        return found + stub.templateProblems.map { ModelProblem(pointer: $0.pointer, message: $0.message) }
    }

    /// The warnings about a message stub: parts that are valid but probably not intended.
    public func warnings(about stub: MessageStub) -> [ModelProblem] {
        MessageLint.findings(in: stub, areTemplates: rendersMessages) { files.problem(of: $0)?.reason }.map(\.problem)
    }

    /// The parts of a stub that cannot be served, including templates with errors. The stub need not be added.
    public func problems(of mapping: StubMapping) -> [ServingProblem] {
        do throws(StubRefusal) {
            return try CompiledStub(mapping, sequence: 0, file: nil, options: options.response, files: files)
                .templateProblems
        } catch .unserved(_, let problems) {
            return problems
        } catch {
            return []
        }
    }

    /// The findings about the stubs: first those about single stubs, then those about pairs, each in order of
    /// precedence. Takes time linear in the number of stubs.
    /// - Parameter bodyFileNames: all names under `__files`, from which a misspelt name is suggested.
    public func findings(bodyFileNames: [String] = []) -> [StubFinding] {
        StubFinding.findings(
            in: allStubs, areTemplates: areTemplates, files: files, bodyFileNames: bodyFileNames,
            states: statesOfMessages)
    }
}

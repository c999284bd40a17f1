import SDJSON
import SDShorthand
import SDStubModel

/// Asserts for the document of a response (streams, holds, faults, delays, framing) that it is read or refused: a
/// refusal has a place in the document and says why, and what is read is written as a document that is read the same.
/// Asserts the same for faults of a session, and that a route with the document as its value is read without a crash.
func fuzz(_ input: [UInt8]) {
    guard let document = try? JSONValue(parsing: input, dialect: .lenient) else { return }
    readMapping(document)
    readFaults(document)
    readRoute(document)
}

private func readMapping(_ document: JSONValue) {
    let whole: JSONValue = ["id": "11111111-1111-4111-8111-111111111111", "response": document]
    let mapping: StubMapping
    do throws(ModelProblems) {
        mapping = try StubMapping(json: whole)
    } catch {
        return check(error, of: whole)
    }
    let written = mapping.json()
    let again: StubMapping
    do throws(ModelProblems) {
        again = try StubMapping(json: written)
    } catch {
        return require(false, "\(written.compactText) can be read: \(error)")
    }
    require(again.response == mapping.response, "\(written.compactText) is read the same")
    require(again.json() == written, "what is written is written the same")
}

private func readFaults(_ document: JSONValue) {
    let faults: [SessionFault]
    do throws(ModelProblems) {
        faults = try SessionFault.read(json: document)
    } catch {
        return check(error, of: document)
    }
    for fault in faults {
        guard let again = try? SessionFault.read(json: .object(fault.json)) else {
            return require(false, "\(fault.json) can be read")
        }
        require(again == [fault], "\(fault.json) is read the same")
        require(fault.rule != nil || fault.port != nil || fault.connection != nil, "\(fault.json) does something")
    }
}

private func readRoute(_ document: JSONValue) {
    let route = StubDocument(json: .object(["GET /x": document]), idSeed: "x")
    for problem in route.problems { require(!problem.message.isEmpty, "a problem says what is wrong") }
}

private func check(_ problems: ModelProblems, of document: JSONValue) {
    require(!problems.problems.isEmpty, "a refusal says why")
    for problem in problems.problems {
        require(!problem.message.isEmpty, "a problem says what is wrong")
        require(leads(problem.place.tokens[...], into: document), "\(problem.place.text) is a place in the document")
    }
}

/// Whether a path leads to a value, or to a member that the last object lacks.
private func leads(_ tokens: ArraySlice<String>, into value: JSONValue) -> Bool {
    guard let first = tokens.first else { return true }
    switch value {
    case .object(let object):
        guard let member = object[first] else { return tokens.count == 1 }
        return leads(tokens.dropFirst(), into: member)
    case .array(let elements):
        guard let index = Int(first), elements.indices.contains(index) else { return false }
        return leads(tokens.dropFirst(), into: elements[index])
    default: return false
    }
}

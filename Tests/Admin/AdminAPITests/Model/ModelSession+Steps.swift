/// The effect of each step on a session, and the expected answer.
extension ModelSession {
    mutating func perform(_ step: ModelStep) -> String {
        removeExpired()
        defer { forgetScenarios() }
        switch step {
        case .send(let request): return serve(request)
        case .explain(let request): return "200 \(choice(request).map(String.init) ?? "none")"
        case .add, .replace, .edit, .remove, .removeLike, .removeTeam, .removeUnmatched, .removeAll, .importAll,
            .importBroken, .reset:
            return change(step)
        case .list, .get, .findTeam, .listUnmatched, .listScenarios, .setScenario, .resetScenarios:
            return look(step)
        case .listRequests, .getRequest, .removeRequest, .listUnmatchedRequests, .count, .find, .removeRequests,
            .removeRequestsOfTeam, .clearRequests, .counters:
            return remember(step)
        case .setSettings(let text):
            settings = text
            hasOwnSettings = true
            return "200"
        case .getSettings: return "200 \(settings ?? "none")"
        case .report: return report()
        default: return "not a session's"
        }
    }

    private mutating func change(_ step: ModelStep) -> String {
        switch step {
        case .add(let stub):
            if place(stub.number) != nil { return "422" }
            put(stub)
            return "201 \(stub.number):\(stub.label)"
        case .replace(let stub): return exchange(stub) ? "200 \(stub.number):\(stub.label)" : "404"
        case .edit(let stub): return exchange(stub) ? "204" : "404"
        case .remove(let number):
            guard place(number) != nil else { return "404" }
            remove { $0.stub.number == number }
        case .removeLike(let stub, let withID):
            if withID, place(stub.number) != nil {
                remove { $0.stub.number == stub.number }
            } else {
                remove { $0.stub.pattern == stub.pattern }
            }
        case .removeTeam(let team): remove { $0.stub.team == team }
        case .removeUnmatched: remove { $0.matches == 0 }
        case .removeAll: removeAll()
        case .importAll(let imported, let overwrites, let removesOthers):
            for stub in imported.reversed() {
                if place(stub.number) == nil { put(stub) } else if overwrites { _ = exchange(stub) }
            }
            if removesOthers { remove { kept in !imported.contains { $0.number == kept.stub.number } } }
        case .importBroken: return "422"
        case .reset:
            restore()
            clearJournal()
        default: break
        }
        return "200"
    }

    private mutating func look(_ step: ModelStep) -> String {
        switch step {
        case .list(let limit, let offset):
            let page = ranked.dropFirst(offset ?? 0).prefix(limit ?? .max)
            return "200 \(stubs.count): " + ModelAnswer.list(page.map { shown($0.stub.number) })
        case .get(let number): return place(number) == nil ? "404" : "200 " + shown(number)
        case .findTeam(let team):
            let found = ranked.filter { $0.stub.team == team }
            return "200 \(found.count): " + ModelAnswer.list(found.map { shown($0.stub.number) })
        case .listUnmatched:
            let found = ranked.filter { $0.matches == 0 }
            return "200 \(found.count): " + ModelAnswer.list(found.map { shown($0.stub.number) })
        case .listScenarios:
            return "200 "
                + ModelAnswer.list(
                    scenarioNames.map { name in
                        let members = members(name).map { shown($0.number) }
                        return "\(name) is \(state(name)) of \(possibleStates(name)) in \(members)"
                    })
        case .setScenario(let name, let state):
            guard scenarioNames.contains(name) else { return "404" }
            guard state == nil || possibleStates(name).contains(state ?? "") else { return "422" }
            states[name] = state
        case .resetScenarios:
            states = [:]
            for place in stubs.indices { stubs[place].position = 0 }
        default: break
        }
        return "200"
    }

    private mutating func remember(_ step: ModelStep) -> String {
        let newest = Array(events.reversed())
        switch step {
        case .listRequests(let limit, let isUnmatched, let stub):
            let chosen = newest.filter { event in
                (!isUnmatched || event.stub == nil) && (stub == nil || event.stub?.number == stub)
            }
            return "200 \(chosen.count): " + ModelAnswer.list(chosen.prefix(limit ?? .max).map(ModelAnswer.event))
        case .getRequest(let place):
            return newest.indices.contains(place) ? "200 " + ModelAnswer.event(newest[place]) : "none"
        case .removeRequest(let place):
            guard newest.indices.contains(place) else { return "none" }
            events.removeAll { $0.sequence == newest[place].sequence }
        case .listUnmatchedRequests:
            return "200 " + ModelAnswer.list(newest.filter { $0.stub == nil }.map { ModelAnswer.request($0.request) })
        case .count(let pattern): return count(pattern)
        case .find(let pattern):
            let found = events.filter { pattern.matches($0.request) }
            return "200 " + ModelAnswer.list(found.map { ModelAnswer.request($0.request) })
        case .removeRequests(let pattern): return removeEvents { pattern.matches($0.request) }
        case .removeRequestsOfTeam(let team): return removeEvents { $0.stub?.team == team }
        case .clearRequests: clearJournal()
        case .counters:
            let stubs = ranked.map { "\($0.stub.number) \($0.matches)" }
            return "200 \(served) \(unmatched): " + ModelAnswer.list(stubs)
        default: break
        }
        return "200"
    }

    private func report() -> String {
        let unused = ranked.filter { $0.matches == 0 && !$0.isInherited && isChild }.map { String($0.stub.number) }
        let missed = events.filter { $0.stub == nil }.map { ModelAnswer.request($0.request) }
        return "200 \(served) \(unmatched) \(ModelAnswer.list(missed)) unused \(ModelAnswer.list(unused)) "
            + (unmatched == 0 ? "passed" : "failed")
    }

    private mutating func removeEvents(_ isDoomed: (Event) -> Bool) -> String {
        let doomed = events.filter(isDoomed)
        events.removeAll(where: isDoomed)
        return "200 " + ModelAnswer.list(doomed.reversed().map(ModelAnswer.event))
    }

    /// The answer to a count. If events were evicted from the journal it says so, unless all of the pattern's requests
    /// were answered by one stub, whose counter is exact.
    private func count(_ pattern: ModelPattern) -> String {
        let count = events.count { pattern.matches($0.request) }
        let stubs = stubs.filter { $0.stub.pattern == pattern }
        guard hasEvicted else { return "200 \(count)" }
        guard stubs.count == 1 else { return "200 \(count) evicted" }
        return stubs[0].matches <= count ? "200 \(count)" : "200 \(count) evicted, matches \(stubs[0].matches)"
    }

    func shown(_ number: Int) -> String {
        guard let kept = stubs.first(where: { $0.stub.number == number }) else { return "none" }
        return ModelAnswer.stub(kept.stub, timesLeft: kept.stub.times.map { $0 - kept.timesUsed })
    }
}

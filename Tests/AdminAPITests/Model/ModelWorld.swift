/// A step, and whom it is asked of.
struct ModelAct: Equatable {
    var step: ModelStep
}

/// All that the model knows.
struct ModelWorld {
    var base: ModelSession

    init(_ setting: ModelSetting) {
        base = ModelSession(files: setting.files, journalLimit: setting.journalLimit)
    }

    mutating func perform(_ act: ModelAct) -> String {
        base.perform(act.step)
    }
}

/// What a run begins with.
struct ModelSetting {
    var files: [ModelStub] = []
    var journalLimit = 10_000
}

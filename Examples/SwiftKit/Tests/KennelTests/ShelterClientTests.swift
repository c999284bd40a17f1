import Foundation
import Kennel
import StuntDoubleTesting
import Testing

/// Data in files: the folder `Mocks` is a server that the app's team can start by hand, too, and that UI tests use.
@Suite(.mockServer(mocks: "Mocks")) struct ShelterClientTests {
    private let shelter: ShelterClient

    init() throws {
        shelter = ShelterClient(ShelterConfiguration(baseURL: try mock.url, token: "t0ken"))
    }

    @Test func theDogsAreThoseOfTheFile() async throws {
        let dogs = try await shelter.dogs()

        #expect(dogs.map(\.name) == ["Rex", "Bella", "Luna"])
        #expect(dogs.first == ShelterClient.Dog(id: 1, name: "Rex", breed: "hound"))
        try await mock.verify(.get("/dogs").header("Authorization", "Bearer t0ken"))
    }

    @Test func dogsOfABreedAreAskedForByName() async throws {
        #expect(try await shelter.dogs(breed: "hound").map(\.id) == [1, 3])
    }

    @Test func aDogHasTheIdThatWasAskedFor() async throws {
        #expect(try await shelter.dog(7).id == 7)
    }

    @Test func adoptionsOfTheSameDogAreRefused() async throws {
        #expect(try await shelter.adopt(1).name == "Rex")
        await #expect(throws: ShelterClient.Refusal(reason: "Rex has a home already")) { try await shelter.adopt(1) }
    }

    /// Each test sees the files as they are, whatever others have changed.
    @Test func aTestChangesWhatItNeeds() async throws {
        try await mock.stub(.get("/dogs"), .json([ShelterClient.Dog]()))

        #expect(try await shelter.dogs().isEmpty)
    }

    @Test func theAppFindsItsServerInTheEnvironment() async throws {
        let environment = ["API_BASE_URL": try mock.url.absoluteString]

        let shelter = ShelterClient(ShelterConfiguration(environment: environment))

        #expect(try await shelter.dogs().count == 3)
        #expect(ShelterConfiguration(environment: [:]).baseURL.absoluteString == "https://shelter.example")
    }
}

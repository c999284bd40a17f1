import static com.github.tomakehurst.wiremock.client.WireMock.*;

import com.github.tomakehurst.wiremock.admin.model.ServeEventQuery;
import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.client.VerificationException;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.common.ClientError;
import com.github.tomakehurst.wiremock.common.DateTimeTruncation;
import com.github.tomakehurst.wiremock.common.DateTimeUnit;
import com.github.tomakehurst.wiremock.common.Json;
import com.github.tomakehurst.wiremock.common.Metadata;
import com.github.tomakehurst.wiremock.global.GlobalSettings;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.UniformDistribution;
import com.github.tomakehurst.wiremock.matching.MultipartValuePattern;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.stubbing.StubImport;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import com.github.tomakehurst.wiremock.verification.NearMiss;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Calls a server whose journal evicts events with WireMock's own Java client, which refuses unknown members.
 *
 * <p>Usage: java -cp WIREMOCK_JAR JavaClient.java PORT JOURNAL_ENTRIES. Prints one line per check, and exits with 1 if one
 * failed. WireMock itself passes if it is started with --max-request-journal-entries JOURNAL_ENTRIES.
 */
public class JavaClient {
    interface Check {
        void run() throws Exception;
    }

    static int port;
    static int entries;
    static final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    static final Map<String, Check> checks = new LinkedHashMap<>();

    public static void main(String[] arguments) {
        port = Integer.parseInt(arguments[0]);
        entries = Integer.parseInt(arguments[1]);
        configureFor("localhost", port);
        define();
        int failures = 0;
        for (Map.Entry<String, Check> check : checks.entrySet()) {
            try {
                reset();
                check.getValue().run();
                System.out.println("ok " + check.getKey());
            } catch (Throwable problem) {
                failures++;
                System.out.println("failed " + check.getKey() + ": " + problem);
                problem.printStackTrace();
            }
        }
        System.exit(failures == 0 ? 0 : 1);
    }

    static void define() {
        checks.put("verify counts what an evicting journal keeps", JavaClient::verifyAfterEviction);
        checks.put("lists of an evicting journal are read", JavaClient::listsAfterEviction);
        checks.put("a verification that fails says what came instead", JavaClient::failedVerification);
        checks.put("unmatched requests and near misses are read", JavaClient::nearMisses);
        checks.put("serve events are removed", JavaClient::removedEvents);
        checks.put("scenarios are read and set", JavaClient::scenarios);
        checks.put("settings are read and set", JavaClient::settings);
        checks.put("stubs are listed, edited and removed", JavaClient::stubs);
        checks.put("every matcher of the DSL comes back as it went", JavaClient::matchers);
        checks.put("every part of a response comes back as it went", JavaClient::responses);
        checks.put("stubs are found and removed by metadata", JavaClient::metadata);
        checks.put("what a list of stubs says can be imported again", JavaClient::importing);
        checks.put("a stub that is refused is a client error with WireMock's title", JavaClient::refused);
        checks.put("resets", JavaClient::resets);
    }

    static void verifyAfterEviction() throws Exception {
        stubFor(get(urlPathEqualTo("/often")).willReturn(ok("x")));
        for (int number = 0; number < entries + 7; number++) equal(200, status("GET", "/often?n=" + number));
        verify(entries, getRequestedFor(urlPathEqualTo("/often")));
        verify(exactly(entries), getRequestedFor(urlPathEqualTo("/often")));
        verify(moreThanOrExactly(1), getRequestedFor(urlPathEqualTo("/often")));
        verify(lessThan(entries + 1), getRequestedFor(urlPathEqualTo("/often")));
        verify(getRequestedFor(urlEqualTo("/often?n=" + (entries + 6))));
        verify(0, getRequestedFor(urlEqualTo("/often?n=0")));
        verify(0, postRequestedFor(urlPathEqualTo("/often")));
    }

    static void listsAfterEviction() throws Exception {
        StubMapping stub = stubFor(any(anyUrl()).willReturn(ok()));
        for (int number = 0; number < entries + 3; number++) status("GET", "/list/" + number);
        List<LoggedRequest> found = findAll(getRequestedFor(urlPathMatching("/list/.*")));
        equal(entries, found.size());
        equal("/list/3", found.get(0).getUrl());
        List<ServeEvent> events = getAllServeEvents();
        equal(entries, events.size());
        ServeEvent event = events.get(0);
        equal("/list/" + (entries + 2), event.getRequest().getUrl());
        equal(true, event.getWasMatched());
        equal(stub.getId(), event.getStubMapping().getId());
        equal(200, event.getResponse().getStatus());
        equal(entries, WireMock.getAllServeEvents(ServeEventQuery.ALL).size());
        equal(0, WireMock.getAllServeEvents(ServeEventQuery.ALL_UNMATCHED).size());
        equal(entries, WireMock.getAllServeEvents(
            ServeEventQuery.forStubMapping(stub)).size());
    }

    static void failedVerification() throws Exception {
        stubFor(get("/there").willReturn(ok()));
        status("GET", "/there");
        String message = "";
        try {
            verify(2, getRequestedFor(urlEqualTo("/there")));
        } catch (VerificationException expected) {
            message = expected.getMessage();
        }
        holds(message.contains("Expected exactly 2 requests"), message);
        message = "";
        try {
            verify(getRequestedFor(urlEqualTo("/theer")));
        } catch (VerificationException expected) {
            message = expected.getMessage();
        }
        holds(message.contains("/theer") && message.contains("/there"), message);
    }

    static void nearMisses() throws Exception {
        stubFor(get("/nearly").withHeader("X-Kind", matching("a+")).withRequestBody(equalToJson("{\"a\":1}"))
            .willReturn(ok()));
        equal(404, status("GET", "/nearly"));
        List<LoggedRequest> unmatched = findUnmatchedRequests();
        equal(1, unmatched.size());
        List<NearMiss> misses = WireMock.findNearMissesForAllUnmatched();
        equal(1, misses.size());
        equal("/nearly", misses.get(0).getRequest().getUrl());
        holds(misses.get(0).getMatchResult().getDistance() > 0, "a distance");
        holds(misses.get(0).getDiff().toString().contains("X-Kind"), misses.get(0).getDiff().toString());
        equal(1, WireMock.findNearMissesFor(unmatched.get(0)).size());
        equal(1, WireMock.findNearMissesFor(getRequestedFor(urlEqualTo("/nearlier"))).size());
    }

    static void removedEvents() throws Exception {
        stubFor(any(anyUrl()).withMetadata(Metadata.metadata().attr("kind", "one").build()).willReturn(ok()));
        status("GET", "/a");
        status("GET", "/b");
        status("GET", "/c");
        WireMock.removeServeEvent(getAllServeEvents().get(0).getId());
        equal(2, getAllServeEvents().size());
        equal(1, WireMock.removeServeEvents(getRequestedFor(urlEqualTo("/a"))).size());
        equal(1, WireMock.removeEventsByStubMetadata(matchingJsonPath("$.kind")).size());
        equal(0, getAllServeEvents().size());
    }

    static void scenarios() throws Exception {
        stubFor(get("/s").inScenario("steps").whenScenarioStateIs(Scenario.STARTED).willSetStateTo("next").willReturn(ok("1")));
        stubFor(get("/s").inScenario("steps").whenScenarioStateIs("next").willReturn(ok("2")));
        equal("1", body("GET", "/s"));
        equal("2", body("GET", "/s"));
        List<Scenario> all = getAllScenarios();
        equal(1, all.size());
        equal("next", all.get(0).getState());
        equal(2, all.get(0).getMappings().size());
        resetScenario("steps");
        equal("1", body("GET", "/s"));
        setScenarioState("steps", Scenario.STARTED);
        equal("1", body("GET", "/s"));
        resetAllScenarios();
        equal(Scenario.STARTED, getAllScenarios().get(0).getState());
    }

    static void settings() {
        setGlobalFixedDelay(1);
        equal(1, getSettings().getFixedDelay());
        setGlobalRandomDelay(new UniformDistribution(1, 2));
        updateSettings(GlobalSettings.builder().fixedDelay(0).build());
        equal(0, getSettings().getFixedDelay());
        updateSettings(GlobalSettings.defaults());
    }

    static void stubs() throws Exception {
        StubMapping first = stubFor(get("/one").withName("one").willReturn(ok("1")));
        stubFor(get("/two").willReturn(ok("2")));
        equal(2, listAllStubMappings().getMappings().size());
        equal(2, listAllStubMappings().getMeta().total);
        equal(first, getSingleStubMapping(first.getId()));
        editStub(get("/one").withId(first.getId()).willReturn(ok("changed")));
        equal("changed", body("GET", "/one"));
        removeStub(first.getId());
        equal(404, status("GET", "/one"));
        equal("InvalidInputException", nameOfFailure(() -> getSingleStubMapping(UUID.randomUUID())));
        equal(1, listAllStubMappings().getMappings().size());
        WireMock.saveAllMappings();
        equal(1, listAllStubMappings().getMappings().size());
        removeAllMappings();
        equal(0, listAllStubMappings().getMappings().size());
    }

    static void matchers() {
        roundTrip(any(urlMatching("/a/[0-9]+")).atPriority(3).withName("named").persistent(false)
            .withHost(equalTo("h")).withPort(80).withScheme("http").withClientIp(containing("127"))
            .withHeader("A", equalTo("x")).withHeader("B", equalToIgnoreCase("x")).withHeader("C", containing("x"))
            .withHeader("D", notContaining("x")).withHeader("E", matching("x+")).withHeader("F", notMatching("x+"))
            .withHeader("G", absent()).withHeader("H", havingExactly("a", "b")).withHeader("I", including("a", "b"))
            .withHeader("J", and(containing("a"), containing("b"))).withHeader("K", or(containing("a"), containing("b")))
            .withHeader("L", not(containing("a"))).withHeader("M", equalToDateTime("2021-05-01T00:00:00Z"))
            .withHeader("N", before("now +3 days")).withHeader("O", after("now").truncateActual(
                DateTimeTruncation.FIRST_HOUR_OF_DAY).expectedOffset(
                2, DateTimeUnit.DAYS))
            .withCookie("c", matching("y")).withBasicAuth("u", "p"));
        roundTrip(post(urlPathTemplate("/users/{id}")).withPathParam("id", equalTo("7")).withQueryParam("q", containing("z")));
        roundTrip(post(urlPathMatching("/x.*")).withFormParam("f", equalTo("1"))
            .withRequestBody(equalToJson("{\"a\":[1,2]}", true, true)).withRequestBody(matchingJsonPath("$.a"))
            .withRequestBody(matchingJsonPath("$.a", equalTo("1"))).withRequestBody(equalToXml("<a/>"))
            .withRequestBody(matchingXPath("//a")).withRequestBody(matchingXPath("//a/text()", equalTo("1")))
            .withRequestBody(binaryEqualTo(new byte[] {1, 2}))
            .withRequestBody(matchingJsonSchema("{\"type\":\"object\"}")));
        MultipartValuePattern part = aMultipart("part").withHeader("A", containing("b")).withBody(equalTo("c")).build();
        roundTrip(post(urlPathEqualTo("/m")).withMultipartRequestBody(aMultipart("part").withBody(containing("c"))));
        holds(part != null, "a part");
    }

    static void responses() {
        roundTrip(get("/r1").willReturn(aResponse().withStatus(201).withStatusMessage("Made").withHeader("A", "b", "c")
            .withBody("x").withFixedDelay(1).withChunkedDribbleDelay(2, 10)));
        roundTrip(get("/r2").willReturn(jsonResponse("{\"a\":1}", 200).withUniformRandomDelay(1, 2)));
        roundTrip(get("/r3").willReturn(aResponse().withBody(new byte[] {1, 2, 3}).withLogNormalRandomDelay(1, 0.1)));
        roundTrip(get("/r4").willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
        roundTrip(get("/r5").willReturn(okJson("{}")));
        roundTrip(get("/r6").willReturn(temporaryRedirect("/elsewhere")));
    }

    static void metadata() {
        stubFor(get("/m1").withMetadata(Metadata.metadata().attr("team", "a").build()));
        stubFor(get("/m2").withMetadata(Metadata.metadata().attr("team", "b").build()));
        equal(1, findStubsByMetadata(matchingJsonPath("$.team", equalTo("a"))).size());
        removeStubsByMetadata(matchingJsonPath("$.team", equalTo("a")));
        equal(1, listAllStubMappings().getMappings().size());
    }

    static void importing() {
        stubFor(get("/i1").willReturn(ok()));
        stubFor(get("/i2").willReturn(ok()));
        List<StubMapping> known = listAllStubMappings().getMappings();
        removeAllMappings();
        importStubs(new StubImport(known, StubImport.Options.DEFAULTS));
        equal(2, listAllStubMappings().getMappings().size());
        importStubs(StubImport.stubImport().stub(get("/i3")).overwriteExisting().deleteAllExistingStubsNotInImport().build());
        equal(1, listAllStubMappings().getMappings().size());
    }

    static void refused() {
        StubMapping stub = stubFor(get("/x").willReturn(ok()));
        try {
            stubFor(get("/y").withId(stub.getId()).willReturn(ok()));
        } catch (ClientError refusal) {
            equal(109, refusal.getErrors().first().getCode());
            equal("Duplicate stub mapping ID", refusal.getErrors().first().getTitle());
            return;
        }
        holds(false, "no refusal");
    }

    static void resets() throws Exception {
        stubFor(get("/x").willReturn(ok()));
        status("GET", "/x");
        resetAllRequests();
        equal(0, getAllServeEvents().size());
        resetToDefault();
        equal(0, listAllStubMappings().getMappings().size());
    }

    static String nameOfFailure(Check check) {
        try {
            check.run();
        } catch (Exception failure) {
            return failure.getClass().getSimpleName();
        }
        return "none";
    }

    static void roundTrip(MappingBuilder builder) {
        StubMapping sent = builder.build();
        WireMock.importStubs(StubImport.stubImport().stub(sent).build());
        StubMapping kept = getSingleStubMapping(sent.getId());
        equal(Json.write(sent.getRequest()), Json.write(kept.getRequest()));
        equal(Json.write(sent.getResponse()), Json.write(kept.getResponse()));
    }

    static HttpResponse<String> send(String method, String target) throws Exception {
        URI uri = URI.create("http://localhost:" + port + target);
        HttpRequest request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    static int status(String method, String target) throws Exception {
        return send(method, target).statusCode();
    }

    static String body(String method, String target) throws Exception {
        return send(method, target).body();
    }

    static void equal(Object expected, Object actual) {
        holds(Objects.equals(expected, actual), "expected " + expected + ", was " + actual);
    }

    static void holds(boolean condition, String words) {
        if (!condition) throw new AssertionError(words);
    }
}

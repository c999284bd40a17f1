"use strict";
// What the helpers for test runners share: whose daemon it is, and how a test is judged.
const { start } = require("./server.js");
const { VerificationError } = require("./errors.js");
const { defaultFailOn } = require("./session.js");

/** What browsers ask for by themselves. */
const defaultIgnore = ["/favicon.ico"];
/** The daemon of a run that a global setup has started; its tests do not have to give it their stubs. */
const sharedVariable = "STUNTDOUBLE_SHARED_URL";
const foreignUrl = () => process.env.STUNTDOUBLE_URL || undefined;

/** The daemon that `STUNTDOUBLE_URL` names, that of the run, or one of this process's own. */
function serverFor({ url = foreignUrl(), sharedUrl = process.env[sharedVariable], mocks, args, binary, adminToken }) {
    const running = url ?? sharedUrl;
    return running ? start({ url: running, adminToken }) : start({ mocks, args, binary, adminToken });
}

/** The test's name, or its beginning: the name of a session has at most 1,024 bytes. */
function sessionName(test) {
    const name = Buffer.from(test ?? "");
    return name.length <= 1024 ? test : `${name.subarray(0, 1000)}…`;
}

/** A session for one test. */
async function sessionFor(server, name, { url = foreignUrl(), mocks, session = {} }) {
    const own = session.mocks === undefined ? [] : [session.mocks].flat();
    // Somebody else's daemon serves its own stubs; those of these tests are the session's.
    const paths = url && mocks !== undefined ? [mocks, ...own] : own;
    return server.session({ ...session, name: sessionName(name), mocks: paths });
}

/**
 * What a test's session has to say at its end: an error where the test has passed and the verdict is bad, or else for
 * a test that failed by itself the requests and the report, as text.
 */
async function judge(session, { failOn = defaultFailOn, ignore = defaultIgnore }, testFailed) {
    const report = await session.report({ failOn, ignore });
    const said = [...session.handlerFailures];
    if (!report.passed) said.push(`${headline(report)}\n${report.text}`);
    if (!testFailed && said.length === 0) return {};
    // The text of a bad verdict has it already.
    const rest = report.passed ? around(report) : "";
    const text = [...said, await session.journal(), ...(rest ? [rest] : [])].join("\n\n");
    return testFailed ? { findings: text } : { error: new VerificationError(text), findings: text };
}

/** Says which requests came to a daemon that was started here without the identity of a test, and were not answered; ends it. */
async function stopServer(server) {
    if (server.pid !== undefined) {
        // A daemon that has ended by itself is what the tests tell of.
        const report = await server.shared.report({ failOn: "unmatched", ignore: defaultIgnore }).catch(() => undefined);
        const strays = (report?.unmatchedRequests ?? []).map(({ method, url }) => `${method} ${url}`);
        if (strays.length > 0) {
            const named = strays.slice(0, 3).join(", ") + (strays.length > 3 ? `, and ${strays.length - 3} more` : "");
            console.error(`stuntdouble: nothing answered what came to ${server.url} without the identity of a test: ${named}`);
        }
    }
    await server.stop();
}

/** What is wrong, in a line. */
function headline({ unmatchedRequests = [], failedRequests = [], files = [], reasons }) {
    if (unmatchedRequests.length + failedRequests.length === 0 && files.length > 0 && reasons.includes("error")) {
        const [{ file, line, column, message }] = files;
        const place = [file, line, column].filter((part) => part !== undefined).join(":");
        return `a stub file has errors: ${place}: ${message}${files.length > 1 ? `, and ${files.length - 1} more` : ""}`;
    }
    const [said, requests] = unmatchedRequests.length > 0
        ? ["nothing answered", unmatchedRequests]
        : ["no answer could be made for", failedRequests];
    if (requests.length === 0) return `failed: ${reasons.join(", ")}`;
    const more = requests.length > 1 ? `, and ${requests.length - 1} more` : "";
    return `${said} ${requests[0].method} ${requests[0].url}${more}`;
}

/** What came, while a test ran, without its identity, or was refused before it could say one; empty if nothing was. */
function around({ withoutIdentity = [], refusals = [] }) {
    const times = (count) => (count > 1 ? ` (${count} times)` : "");
    const strays = withoutIdentity.map(({ method, url, count, stub, matched }) => {
        const place = stub?.file ? ` (${stub.file}${stub.line ? `:${stub.line}` : ""})` : "";
        const answer = !matched ? "nothing answered" : stub ? `answered by ${stub.name ?? stub.key}${place}` : "answered";
        return `  ${method} ${url}: ${answer}${times(count)}`;
    });
    const refused = refusals.map(({ text, count }) => `  ${text}${times(count)}`);
    const sections = [
        ["came while this test ran, without the identity of a test:", strays],
        ["refused:", refused],
    ];
    return sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => [title, ...lines].join("\n")).join("\n\n");
}

module.exports = { defaultIgnore, foreignUrl, sharedVariable, serverFor, sessionFor, stopServer, judge };

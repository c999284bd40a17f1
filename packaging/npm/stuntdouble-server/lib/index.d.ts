/// <reference types="node" />
import { PassThrough, RequestPattern, Route, RouteResource, Settings, StubCollection, StubElement } from "./dialect.js";

export * from "./dialect.js";

/** Which requests: a route's key such as `GET /users/{id}`, a pattern in WireMock's form, or those of a stub. */
export type RequestSelector = string | RequestPattern | Stub;

export type FailReason = "unmatched" | "unused" | "unmet" | "fault" | "error" | "webhook" | "aborted" | "contract" | `slow>${string}`;

export interface StartOptions {
    /** The folder or the stub file that it serves. */
    mocks?: string;
    /** More of its options, as on the command line. */
    args?: string[];
    /** The address of a daemon that runs, which is used in place of one of its own. */
    url?: string;
    binary?: string;
    adminToken?: string;
}

export interface SessionOptions {
    name?: string;
    /** Whether it gets a port of its own, as it does by default; without one its `url` has a path. */
    port?: boolean;
    /** Whether the daemon's stubs answer, too, as they do by default. */
    inherit?: boolean;
    /** Stub files or folders of its own. */
    mocks?: string | string[];
    ttl?: string;
    seed?: number;
    httpsPort?: number;
    settings?: Settings;
    passThrough?: PassThrough;
}

export interface Verdict {
    /** What makes it bad: a list, or a text with commas; `none` for nothing. By default `unmatched` and `error`. */
    failOn?: FailReason[] | string;
    /** Globs of paths of requests that do not count. */
    ignore?: string | string[];
}

export interface Report {
    passed: boolean;
    verdict: "passed" | "failed";
    reasons: FailReason[];
    /** The number of requests. */
    served: number;
    /** In words: each unmatched request with the stub nearest to it, and what else fails. */
    text: string;
    unmatched: Array<Record<string, unknown>>;
    failed: Array<Record<string, unknown>>;
    unusedStubs: Array<Record<string, unknown>>;
    [key: string]: unknown;
}

/** A request in the journal, with what was answered. */
export interface JournalRequest {
    method: string;
    /** Path and query, as they were sent. */
    url: string;
    path: string;
    query: URLSearchParams;
    /** For a function of `handle`: what the variables of its route's path are, decoded. */
    variables: Record<string, string>;
    headers: Record<string, string | string[]>;
    body: Buffer;
    text: string;
    json(): any;
    /** The value of a header whatever the case of its name. */
    header(name: string): string | string[] | undefined;
    /** Whether a stub answered. */
    matched?: boolean;
    /** Of the answer; not known while that is on its way. */
    status?: number;
    stub?: Record<string, unknown>;
    raw: Record<string, unknown>;
    toString(): string;
}

/** What a handler answers: all of it, a body alone, or nothing. */
export type HandlerAnswer =
    | { status?: number; headers?: Record<string, string | number | string[]>; json?: unknown; body?: string | Uint8Array }
    | string
    | Uint8Array
    | void;
export type Handler = (request: JournalRequest) => HandlerAnswer | Promise<HandlerAnswer>;

/**
 * What one call of `stub` has added: a stub, or several; iterated, it is each of them. Several come of a collection, of a list of
 * responses, and of a list or mapping of stubs.
 */
export class Stub implements Iterable<Stub> {
    /** Of several the first one's. */
    readonly id: string;
    readonly length: number;
    /** The stub as the daemon has it, in WireMock's form; of several the first. */
    mapping(): Promise<Record<string, any>>;
    /** The requests that are its own, in WireMock's form; rejects for a collection and for stubs of several keys. */
    pattern(): Promise<RequestPattern>;
    /** Takes it away, or all of them. */
    remove(): Promise<void>;
    [Symbol.iterator](): Iterator<Stub>;
    private constructor();
}

/** A mock server of its own within a daemon: stubs, journal, scenarios and counters that no other test sees. */
export class Session {
    /** Undefined for the daemon's own stubs and journal. */
    readonly id: string | undefined;
    readonly name: string | undefined;
    /** Where the code under test sends its requests. */
    readonly url: string;
    /** The same in HTTPS; throws a `StuntDoubleError` that says how to have one. Clients are to trust `ca`. */
    readonly httpsUrl: string;
    /**
     * The daemon's certificate authority in PEM, as `https.request(url, { ca })`, `new https.Agent({ ca })` and undici's
     * `new Agent({ connect: { ca } })` take it; throws a `StuntDoubleError` where it issues no certificates.
     */
    readonly ca: string;
    /** The path of a file with it, until the process ends: the NODE_EXTRA_CA_CERTS of a program that is started. */
    readonly caFile: string;
    /** The daemon's address, at which `headers` choose this session. */
    readonly serverUrl: string;
    /** The headers that choose this session at the daemon's address; servers pass `baggage` on. */
    readonly headers: Record<string, string>;
    readonly cookie: { name: string; value: string } | undefined;
    /**
     * A call of the admin API in this session, such as `admin("GET", "/scenarios")`, with or without `/__admin`: the JSON of its
     * answer, its text where it is none. A body that is neither text nor a Buffer is sent as JSON. Rejects with an `AdminError`.
     */
    admin(method: string, path: string, body?: unknown): Promise<any>;

    /**
     * Adds a stub, or several at once; of several that match the one added last answers. A list of responses is tried in its order, as
     * in a file. Rejects with an `AdminError` that has the place of a mistake and the nearest name; what is valid and hardly meant
     * is a `StuntDoubleWarning` of the process.
     */
    stub(route: string, response?: Route | RouteResource | ReadonlyArray<Route>): Promise<Stub>;
    /** Adds what a stub file may have: all of it, or nothing. */
    stub(stubs: StubElement | StubCollection | ReadonlyArray<StubElement>): Promise<Stub>;
    /**
     * Adds a stub whose answers a function makes; what it throws is a 500, and makes the verdict bad. `more` is what a
     * route may have, such as `when`, `delay` and `times`. The daemon has to run on the same machine.
     */
    handle(route: string, answer: Handler, more?: Route): Promise<Stub>;
    /** What functions of `handle` have thrown, each as a text with its request. */
    readonly handlerFailures: readonly string[];
    /** Adds the stubs of a file, or of a folder with its `__files`, as a daemon has them that serves it, with `cors` and sets of faults. */
    load(path: string): Promise<Stub[]>;
    loadText(text: string | Buffer, name?: string): Promise<Stub[]>;
    /** Back to the beginning: the stubs of `mocks` are as they were loaded, those added since are gone; scenarios, counters and journal are empty. */
    reset(): Promise<void>;

    /** The requests that were received, or those that are meant; the oldest first. */
    requests(selector?: RequestSelector): Promise<JournalRequest[]>;
    count(selector: RequestSelector): Promise<number>;
    /** Rejects unless as many were received, by default one or more, a number exactly so many; waits until it holds, `within` milliseconds. */
    verify(selector: RequestSelector, options?: number | { count?: number; atLeast?: number; atMost?: number; within?: number }): Promise<void>;
    /** Rejects unless they were received in this order, others between or not. */
    verifyInOrder(selectors: RequestSelector[], options?: { within?: number }): Promise<void>;
    /** Rejects if a request was received that is none of these. */
    verifyOnly(selectors: RequestSelector[]): Promise<void>;
    /** The requests, as soon as there are so many; rejects if there are not in time (milliseconds). */
    waitFor(selector: RequestSelector, options?: { count?: number; timeout?: number }): Promise<JournalRequest[]>;

    report(options?: Verdict): Promise<Report>;
    /** The report as the daemon writes it. */
    render(format?: "text" | "json" | "junit" | "html" | "github" | "markdown", options?: Verdict): Promise<string>;
    /** Rejects with the report's text if the verdict is bad. */
    check(options?: Verdict): Promise<void>;
    /** The requests as text, one a line. */
    journal(): Promise<string>;
    end(): Promise<void>;
    private constructor();
}

/** A daemon: one of its own, that ends with this process, or one that was running. */
export class Server {
    readonly url: string;
    /** The address for HTTPS; throws a `StuntDoubleError` that says how to have one. Clients are to trust `ca`. */
    readonly httpsUrl: string;
    /**
     * The daemon's certificate authority in PEM, as `https.request(url, { ca })`, `new https.Agent({ ca })` and undici's
     * `new Agent({ connect: { ca } })` take it; throws a `StuntDoubleError` where it issues no certificates.
     */
    readonly ca: string;
    /** The path of a file with it, until the process ends: the NODE_EXTRA_CA_CERTS of a program that is started. */
    readonly caFile: string;
    readonly pid: number | undefined;
    /** What it has logged. */
    readonly log: string;
    session(options?: SessionOptions): Promise<Session>;
    /** The daemon's own stubs and journal, which all sessions inherit. */
    readonly shared: Session;
    stop(): Promise<void>;
    private constructor();
}

/** Starts a daemon; resolves when it answers, and rejects with what it wrote if it does not. */
export function start(options?: StartOptions): Promise<Server>;
/** The path of the daemon's binary. */
export function binaryPath(): string;

export class StuntDoubleError extends Error {}
/** The daemon did not start; the message has what it wrote, without passwords and tokens. */
export class StartError extends StuntDoubleError {}
/** A call of the admin API was refused. */
export class AdminError extends StuntDoubleError {
    /** 0 if there was no answer. */
    readonly status: number;
    readonly body: unknown;
}
/** A verification does not hold, or a verdict is bad. */
export class VerificationError extends StuntDoubleError {}

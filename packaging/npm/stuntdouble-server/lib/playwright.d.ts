import type { BrowserContext, PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType } from "@playwright/test";
import type { Server, Session, SessionOptions } from "./index.js";

export interface StuntDoubleWorkerOptions {
    /** The folder or file of stubs that all tests see. */
    stuntdoubleMocks: string | undefined;
    /** More options of the daemon. */
    stuntdoubleArgs: string[];
}
export interface StuntDoubleOptions {
    /** How the session of a test is created: stubs of its own, whether it inherits. */
    stuntdoubleSession: SessionOptions;
    /** What fails a test: a comma list of unmatched, unused, unmet, fault, error, webhook, aborted, contract, slow>1s; or none. */
    stuntdoubleFailOn: string;
    /** Globs of paths of requests that do not count. */
    stuntdoubleIgnore: string[];
}
export interface StuntDoubleFixtures {
    /** A mock server for this test alone. */
    stuntdouble: Session;
}
export interface StuntDoubleWorkerFixtures {
    stuntdoubleServer: Server;
}

export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions & StuntDoubleOptions & StuntDoubleFixtures,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions & StuntDoubleWorkerOptions & StuntDoubleWorkerFixtures
>;
/**
 * Lets a context that is not made by the fixture `browser` send a session's headers, to the origin of `baseURL` and to the
 * daemon's. `extraHTTPHeaders` are those of the context, whose `baggage` keeps its members.
 */
export function carryIdentity(
    context: BrowserContext,
    session: Session,
    options?: { baseURL?: string; extraHTTPHeaders?: Record<string, string> },
): Promise<BrowserContext>;
/** The fixtures, for `test.extend` of a test of your own. */
export const fixtures: Record<string, any>;
export { expect } from "@playwright/test";

import type { Session, SessionOptions, StartOptions, Verdict } from "./index.js";

/** What of a test's context is used: `t` of node:test is one. */
export interface TestContext {
    readonly name: string;
    after(ends: () => Promise<void>): void;
    diagnostic(text: string): void;
}

export type MockServer = (t: TestContext, options?: SessionOptions & Verdict) => Promise<Session>;

/** A mock server for this test alone, which ends with it; requests that it has no stub for fail the test. */
export const mockServer: MockServer;
/** A `mockServer` with options for all its tests, such as the folder of stubs. */
export function mockServers(options?: StartOptions & Verdict): MockServer;

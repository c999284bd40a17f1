import type { TestAPI } from "vitest";
import type { Session, SessionOptions, StartOptions, Verdict } from "./index.js";

export type Options = StartOptions & Verdict & { session?: SessionOptions };
export interface StuntDoubleFixtures {
    /** What differs for these tests, by `test.override` or `test.scoped`. */
    stuntdoubleOptions: Options;
    /** A mock server for this test alone. */
    stuntdouble: Session;
}
/** Fixtures with options of their own, for `test.extend`. */
export function fixtures(options?: Options): any;
export const test: TestAPI<StuntDoubleFixtures>;
export const it: TestAPI<StuntDoubleFixtures>;

declare module "vitest" {
    interface ProvidedContext {
        stuntdoubleUrl: string;
    }
}

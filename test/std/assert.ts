/**
 * Typed door to `@std/assert`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import * as untyped from "deno-std/assert/mod.js";

type ErrorClass<E extends Error> = new (...args: never[]) => E;

/** Fails unless the value is truthy. */
export const assert: (value: unknown, message?: string) => asserts value = untyped.assert;
/** Fails unless both are deeply equal. */
export const assertEquals: <T>(actual: T, expected: T, message?: string) => void =
  untyped.assertEquals;
/** Fails if both are deeply equal. */
export const assertNotEquals: <T>(actual: T, expected: T, message?: string) => void =
  untyped.assertNotEquals;
/** Fails unless the numbers differ by no more than the tolerance. */
export const assertAlmostEquals: (
  actual: number,
  expected: number,
  tolerance?: number,
  message?: string,
) => void = untyped.assertAlmostEquals;
/** Fails unless the text contains the part. */
export const assertStringIncludes: (actual: string, expected: string, message?: string) => void =
  untyped.assertStringIncludes;
/** Fails unless the text matches the pattern. */
export const assertMatch: (actual: string, expected: RegExp, message?: string) => void =
  untyped.assertMatch;
/** Fails unless the function throws, and an error of the class if given; returns the error. */
export const assertThrows: {
  (fn: () => unknown, message?: string): unknown;
  <E extends Error = Error>(
    fn: () => unknown,
    errorClass: ErrorClass<E>,
    messageIncludes?: string,
    message?: string,
  ): E;
} = untyped.assertThrows;
/** Fails unless the promise rejects, and with an error of the class if given; returns the error. */
export const assertRejects: {
  (fn: () => PromiseLike<unknown>, message?: string): Promise<unknown>;
  <E extends Error = Error>(
    fn: () => PromiseLike<unknown>,
    errorClass: ErrorClass<E>,
    messageIncludes?: string,
    message?: string,
  ): Promise<E>;
} = untyped.assertRejects;
/** Always fails. */
export const fail: (message?: string) => never = untyped.fail;

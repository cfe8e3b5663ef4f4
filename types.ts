/**
 * The types that signatures of the other entries name: for programs that wrap a call, or declare what one takes or gives.
 * `deno task docs` writes this file.
 *
 * @module
 */
export {};

/**
 * The public entry, plus internals for our commands, the client and the tests.
 *
 * @module
 */
export * from "./entry.ts";
export { listCoveredTurbines } from "./licences/licences.ts";
export { listKeys, revokeKey } from "./licences/licence_book.ts";
export { keyTable, licenceTable } from "./licences/licence_table.ts";
export { LOCAL_LICENCE } from "./licences/licences.ts";
export { RequestLog } from "./routing/request_log.ts";
export { isEverywhere } from "./running/listen_address.ts";
export { EXAMPLE_FILES, type ExampleFileName, writeExampleFiles } from "../sample/example_files.ts";
export { readSampleProduction } from "../sample/sample_production.ts";
export { SAMPLE_FOLDER } from "../sample/sample_world.ts";

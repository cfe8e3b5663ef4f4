/**
 * The open service: all 14 operations of the API on your own data or on the built-in sample.
 *
 * @module
 */
export { type ImportResult, importSite } from "./import/import_site.ts";
export { importAccount } from "./import/account.ts";
export { readSiteProduction, type SiteProduction } from "./import/site_production.ts";
export { readSite } from "./import/read_site.ts";
export { type DataDirectory, defaultDataDirectory, openDataDirectory } from "./data_directory.ts";
export { hasLocalLicence, issueLocalKey } from "./licences.ts";
export { openSample, openService, type OpenServiceOptions, type Service } from "./service.ts";
export { serve, type ServeOptions, type Server } from "./serve.ts";
export { EXAMPLE_FILES, type ExampleFileName, writeExampleFiles } from "./sample/example_files.ts";
export { SAMPLE_FOLDER } from "./sample/sample_world.ts";
export { apiReference } from "./api_reference.ts";

/**
 * Real services for tests: your scripts against the service on loopback, with the sample or your own data.
 *
 * @module
 */
export { type ServiceUnderTest, withService, type WithServiceOptions } from "./with_service.ts";

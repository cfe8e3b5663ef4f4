/**
 * Real services for tests: your scripts against the service on loopback, with the sample or your own data. On
 * request the service fails as real ones do: it stalls, cuts answers off, loses them, mistakes ranges.
 *
 * @example What a script does when its licence has ended
 * ```ts
 * import { LicenceError, turbines } from "@vindkit/vindkit";
 * import { withService } from "@vindkit/vindkit/testing";
 * import { assertRejects } from "@std/assert";
 *
 * await withService(async ({ connection }) => {
 *   await assertRejects(() => turbines({ connection }), LicenceError);
 * }, { faults: [{ on: "turbines", act: { kind: "status", status: 401 } }] });
 * ```
 *
 * @module
 */
export type { OperationId } from "../api/operations/operation.ts";
export type {
  BodyAct,
  CutAct,
  Fault,
  FaultAct,
  LoseAnswerAct,
  RangeAct,
  RedirectAct,
  RequestKind,
  ResetAct,
  SlowAct,
  StallAct,
  StatusAct,
  TrickleAct,
} from "./fault.ts";
export type { SeenRequest } from "./exchange.ts";
export { type ServiceUnderTest, withService, type WithServiceOptions } from "./with_service.ts";

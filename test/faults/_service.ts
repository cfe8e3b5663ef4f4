/**
 * The service under test on the shared sample, and its valid requests.
 *
 * @module
 */
import { KEY_HEADER, operationOf } from "../../src/api/operations/operations.ts";
import type { OperationId } from "../../src/api/operations/operation.ts";
import type { Fault, FaultAct } from "./_fault.ts";
import { type ServiceUnderTest, withService } from "./_with_service.ts";
import { buildPath, SHARED_SAMPLE, validValues } from "../service/_sample.ts";
import { type RawAnswer, rawGet, type RawRequest } from "./_raw.ts";

/** The service under test, with ways to call it without our client. */
export interface TestService extends ServiceUnderTest {
  /** A valid request for an operation. */
  request(id: OperationId, headers?: Record<string, string>): RawRequest;
  /** Sends one, and reads until the connection ends. */
  get(id: OperationId, headers?: Record<string, string>): Promise<RawAnswer>;
  /** Sends one with `fetch`. */
  fetch(id: OperationId, init?: RequestInit): Promise<Response>;
}

/** Starts the shared sample with faults. */
export async function withFaults<T>(
  faults: readonly Fault[],
  body: (service: TestService) => Promise<T>,
): Promise<T> {
  return await withService(async (service) => {
    const { url } = service;
    const key = { [KEY_HEADER]: service.key.reveal() };
    const pathFor = (id: OperationId) => buildPath(operationOf(id), validValues[id]);
    const request = (id: OperationId, headers: Record<string, string> = {}) => ({
      url,
      path: pathFor(id),
      headers: { ...key, ...headers },
    });
    return await body({
      ...service,
      request,
      get: (id, headers) => rawGet(request(id, headers)),
      fetch: (id, init = {}) => fetch(url + pathFor(id), { ...init, headers: key }),
    });
  }, { folder: SHARED_SAMPLE, faults });
}

/** Starts it with one fault, which hits the first request. */
export async function withAct<T>(
  act: FaultAct,
  body: (service: TestService) => Promise<T>,
): Promise<T> {
  return await withFaults([{ act }], body);
}

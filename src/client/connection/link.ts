import { loadService } from "./in_process.ts";
import type { Settings } from "./settings.ts";

/** Origin in requests to a service in this process; it is never resolved. */
export const IN_PROCESS_ORIGIN = "http://in-process.vindkit.invalid";

/** A service that runs in this process. */
interface InProcessService {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** How requests reach a service: over the network, or in this process; the service is opened at the first request. */
export class Link {
  readonly #target: Settings["target"];
  #service: Promise<InProcessService> | undefined;

  /** @param target World to open */
  constructor(target: Settings["target"]) {
    this.#target = target;
  }

  /** Sends one request without changes or retries. */
  async send(request: Request): Promise<Response> {
    if (this.#target.kind === "live") return await fetch(request);
    this.#service ??= open(this.#target).catch((error) => {
      this.#service = undefined; // the next request opens it again: the data may be imported by then
      throw error;
    });
    return await (await this.#service).fetch(request);
  }

  /** Closes the service in this process, if one was opened; the next request opens it again. */
  async close(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await (await service)?.close();
  }
}

async function open(
  target: Exclude<Settings["target"], { kind: "live" }>,
): Promise<InProcessService> {
  const { openSample, openService } = await loadService();
  return target.kind === "sample"
    ? await openSample({ trusted: true })
    : await openService(target.data, { trusted: true });
}

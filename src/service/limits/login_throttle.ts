import { STATUS_CODE } from "@std/http/status";
import { Refusal } from "../../storage/jobs/refusal.ts";
import type { Attempts, CountedAttempt } from "../../storage/store/attempts.ts";

/** Failed attempts within a minute after which more are refused. */
export const FAILED_ATTEMPTS = 10;

/** Withdraws an attempt that did not fail. */
type TakeBack = () => Promise<void>;

/** Attempts of one client to get access. */
export interface ClientLogins {
  /**
   * Counts a key that is not known.
   *
   * @throws {Refusal} If there were too many
   */
  countUnknownKey(): Promise<void>;
  /**
   * Counts an attempt to get a key before its result is known, so concurrent attempts count too.
   *
   * @throws {Refusal} If too many failed, of this client or for this serial number
   */
  countCustomer(serialNumber: string): Promise<TakeBack>;
}

/** Facts about the client of a request, as `Deno.serve` reports them, and the listener that received it. */
export interface ClientInfo {
  /** Address of the client. */
  readonly remoteAddr?: Deno.Addr;
  /** Settles when the answer is sent, or cannot be. */
  readonly completed?: Promise<void>;
  /** Address that the service listens on; without it the service answers every host. */
  readonly listensOn?: string;
  /** Port that the service listens on and puts into the addresses that it gives. */
  readonly port?: number;
}

/**
 * Limits failed attempts to get access, by client and by serial number. Refused attempts are not counted, so a pause
 * always ends.
 */
export class LoginThrottle {
  readonly #attempts: Attempts;
  readonly #limit: number;

  /**
   * @param attempts Counts attempts, for this process or for several servers
   * @param limit Failed attempts within a minute, at least 1; `Infinity` for no limit
   */
  constructor(attempts: Attempts, limit: number = FAILED_ATTEMPTS) {
    this.#attempts = attempts;
    this.#limit = limit;
  }

  /** Attempts of a client; its address is read only if an attempt fails. */
  forClient(address: () => string): ClientLogins {
    return {
      countUnknownKey: async () => void await this.count(`key from ${address()}`),
      countCustomer: (serialNumber) =>
        this.count(`customer from ${address()}`, `serial number ${serialNumber}`),
    };
  }

  /**
   * Counts an attempt as failed under each of the names, one after the other: a client that has to wait never counts
   * against a serial number.
   *
   * @throws {Refusal} If one of them has too many; then it is not counted
   */
  async count(...names: string[]): Promise<TakeBack> {
    const counted: CountedAttempt[] = [];
    const takeBack = async () => {
      for (const attempt of counted) await attempt.takeBack();
    };
    if (this.#limit === Infinity) return takeBack;
    for (const name of names) {
      const attempt = await this.#attempts.count(name, this.#limit);
      if (attempt.pause > 0) {
        await takeBack();
        throw this.#refuse(attempt.pause);
      }
      counted.push(attempt);
    }
    return takeBack;
  }

  #refuse(pause: number): Refusal {
    const retryAfter = Math.ceil(pause / 1000);
    return new Refusal(
      "too_many_requests",
      `${this.#limit} attempts failed within a minute. Try again in ${retryAfter} s`,
      { retryAfter, status: STATUS_CODE.TooManyRequests },
    );
  }
}

/** Header in which proxies append the address of their client, one after the other. */
const FORWARDED_FOR = "x-forwarded-for";

/** An IPv4 or IPv6 address as proxies write it; other text does not count as a client. */
const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/;

/** The first 64 bits of an IPv6 address, a network that one client has to itself; an IPv4 address unchanged. */
function readNetwork(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped || !address.includes(":")) return mapped ?? address;
  const [head, tail = []] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const groups = [...head, ...Array(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
  return `${groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/**
 * Reads the address that a request comes from; for IPv6 its network, since a client owns all addresses in it.
 *
 * @param behindProxy Whether the connection is a proxy's: then the last address in `X-Forwarded-For` counts, which the
 * proxy itself has added; the earlier ones are claims of the client
 * @returns An address, or "nowhere" for requests of this process
 */
export function readClientAddress(
  request: Request,
  { remoteAddr }: ClientInfo,
  behindProxy: boolean,
): string {
  if (behindProxy) {
    const last = request.headers.get(FORWARDED_FOR)?.split(",").at(-1)?.trim();
    if (last && ADDRESS.test(last)) return readNetwork(last);
  }
  return remoteAddr && "hostname" in remoteAddr ? readNetwork(remoteAddr.hostname) : "nowhere";
}

/** Header of a request that asks for a faulty answer; the answer repeats the faults that were applied. */
export const FAULT_HEADER = "Vindkit-Fault";

/** Longest pause that can be asked for, ms. */
const MAX_PAUSE = 60_000;

type WrongBody = "page" | "half" | "other";

/** What a request asks to go wrong with its answer. */
export interface RequestedFaults {
  /** Pause before the answer, ms. */
  slow?: number;
  /** Status and seconds of `Retry-After` in the place of an answer. */
  busy?: { readonly status: number; readonly retryAfter: number };
  wrong?: WrongBody;
  /** Bytes of the body after which the connection breaks off. */
  cut?: number;
  /** Number of requests of a name that are affected; later ones are answered as usual. */
  first?: { readonly count: number; readonly name: string };
}

/** A kind of fault: how its value is written, what it does, and how it is read. */
interface FaultKind {
  readonly form: RegExp;
  readonly says: string;
  read(parts: readonly string[]): RequestedFaults | undefined;
}

const kinds: Readonly<Record<keyof RequestedFaults, FaultKind>> = {
  slow: {
    form: /^(\d{1,5})$/,
    says: `slow=MS: a pause before the answer, ${MAX_PAUSE} ms at most`,
    read: ([ms]) => Number(ms) <= MAX_PAUSE ? { slow: Number(ms) } : undefined,
  },
  busy: {
    form: /^(?:(503|429|406):)?(\d{1,5})$/,
    says: "busy=SECONDS: 503 with Retry-After; busy=429:SECONDS and busy=406:SECONDS likewise",
    read: ([status = "503", seconds]) => ({
      busy: { status: Number(status), retryAfter: Number(seconds) },
    }),
  },
  wrong: {
    form: /^(page|half|other)$/,
    says: "wrong=page: a web page with 200; wrong=half: half of the body as if it were all; " +
      "wrong=other: JSON that names another turbine",
    read: ([what]) => ({ wrong: what as WrongBody }),
  },
  cut: {
    form: /^(\d{1,12})$/,
    says: "cut=BYTES: the connection breaks off after so many bytes of the body",
    read: ([bytes]) => ({ cut: Number(bytes) }),
  },
  first: {
    form: /^(\d{1,5}):([\w.-]{1,100})$/,
    says: "first=COUNT:NAME: all that only for the first requests with this name",
    read: ([count, name]) => ({ first: { count: Number(count), name } }),
  },
};

function kindOf(name: string): FaultKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name as keyof RequestedFaults] : undefined;
}

/**
 * Reads the header: faults with commas between them, such as `slow=200, busy=1`.
 *
 * @returns The faults, or what is wrong with the header
 */
export function readFaults(header: string): RequestedFaults | { readonly problem: string } {
  const faults: RequestedFaults = {};
  for (const part of header.split(",")) {
    const [, name = "", value = ""] = /^\s*(\w+)\s*=\s*(\S*)\s*$/.exec(part) ?? [];
    const kind = kindOf(name);
    const match = kind?.form.exec(value);
    const read = match && kind!.read(match.slice(1));
    if (!read || name in faults) {
      return buildProblem(read ? `"${name}" is duplicated` : `"${part.trim()}" is not a fault`);
    }
    Object.assign(faults, read);
  }
  const { first, ...acts } = faults;
  return first && Object.keys(acts).length === 0
    ? buildProblem("first needs another fault beside it")
    : faults;
}

/**
 * Selects the faults of the header that were applied, as written there; `first` goes with the others.
 *
 * @param header Value of the header, valid
 * @returns An empty text where none was applied
 */
export function listFollowed(header: string, done: readonly (keyof RequestedFaults)[]): string {
  if (done.length === 0) return "";
  const names: readonly string[] = [...done, "first"];
  return header.split(",").map((part) => part.trim())
    .filter((part) => names.includes(part.split(/\s*=/)[0])).join(", ");
}

function buildProblem(problem: string): { readonly problem: string } {
  const known = Object.values(kinds).map(({ says }) => says).join("; ");
  return { problem: `${FAULT_HEADER}: ${problem}. Give one of: ${known}` };
}

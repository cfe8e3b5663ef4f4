import { peerFile, type PeerSaid, runPeer } from "./_venv.ts";

/** Seed of all runs, so they can be repeated. */
const SEED = "1";

/** A line of the report, for one event. */
interface ReportLine {
  readonly ScenarioFinished?: {
    readonly recorder: {
      readonly cases?: Readonly<Record<string, { readonly value: Case }>>;
      readonly checks?: Readonly<Record<string, readonly Check[]>>;
      readonly interactions?: Readonly<Record<string, { readonly response?: Answer }>>;
    };
  };
}
type Case = { readonly method: string; readonly path: string };
type Check = { readonly name: string; readonly status: "success" | "failure" };
type Answer = { readonly status_code: number };

/** Results of a run. */
export interface Found {
  /** Exit code and output. */
  readonly said: PeerSaid;
  /** Number of failures by check. */
  readonly failures: ReadonlyMap<string, number>;
  /** Statuses of each operation's answers to GET, by path. */
  readonly statuses: ReadonlyMap<string, ReadonlySet<number>>;
  /** Requests made. */
  readonly requests: number;
}

/** Options of a run. */
export interface RunOptions {
  /** Address or path of the OpenAPI document. */
  readonly document: string;
  /** Configuration file in this folder. */
  readonly config: string;
  /** Further arguments. */
  readonly args: readonly string[];
  /** Folder for its files. */
  readonly folder: string;
  readonly key: string;
}

/** Runs schemathesis with all checks, and continues after failures. */
export async function runSchemathesis(options: RunOptions): Promise<Found> {
  const { document, config, args, folder, key } = options;
  const report = `${folder}/${config}.ndjson`;
  const said = await runPeer("schemathesis", {
    cwd: folder,
    args: [
      ...["--no-color", "--config-file", peerFile(config), "run", document, ...args],
      ...["--checks", "all", "--seed", SEED, "--continue-on-failure"],
      ...["--report", "ndjson", "--report-ndjson-path", report],
    ],
    env: { VINDKIT_PEER_KEY: key },
  });
  return { said, ...readReport(await Deno.readTextFile(report)) };
}

function readReport(text: string): Omit<Found, "said"> {
  const failures = new Map<string, number>();
  const statuses = new Map<string, Set<number>>();
  let requests = 0;
  for (const line of text.trimEnd().split("\n")) {
    const { recorder } = (JSON.parse(line) as ReportLine).ScenarioFinished ?? {};
    const { cases = {}, checks = {}, interactions = {} } = recorder ?? {};
    requests += Object.keys(interactions).length;
    for (const { name, status } of Object.values(checks).flat()) {
      failures.set(name, (failures.get(name) ?? 0) + (status === "success" ? 0 : 1));
    }
    for (const [id, { response }] of Object.entries(interactions)) {
      const { method, path } = cases[id].value;
      if (method !== "GET" || !response) continue;
      const seen = statuses.get(path) ?? new Set();
      statuses.set(path, seen.add(response.status_code));
    }
  }
  return { failures, statuses, requests };
}

import { type Provenance, provenance } from "../../frames/provenance.ts";

/** Provenance of a picture with several sources. */
interface Origins {
  /** Provenance of the source line: the sample if any source is of it, because the picture is synthetic then. */
  readonly origin: Provenance | undefined;
  /** The other operations and attributions, a line each. */
  readonly others: readonly string[];
}

/** Joins the provenance of frames and records; one may be absent or have none. */
export function joinOrigins(sources: readonly (object | undefined)[]): Origins {
  const all = sources.flatMap((source) => source ? provenance(source) ?? [] : []);
  const origin = all.find(({ world }) => world === "sample") ?? all[0];
  const operations = all.map(({ operation }) => operation)
    .filter((operation) => operation !== origin?.operation);
  const attributions = all.flatMap(({ attribution }) => attribution)
    .filter((line) => !origin?.attribution.includes(line));
  return {
    origin,
    others: [
      ...new Set([...operations.map((operation) => `Also from ${operation}`), ...attributions]),
    ],
  };
}

import { type Provenance, provenance } from "../../frames/provenance.ts";

/** Where the figures of a picture come from that has several sources. */
interface Origins {
  /** What the source line states: the sample where any of them is of it, for then the picture is synthetic. */
  readonly origin: Provenance | undefined;
  /** The other operations and attributions, a line each. */
  readonly others: readonly string[];
}

/** Brings the sources of a picture together: frames and records, some of which may be absent or say nothing. */
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

import { z } from "zod";
import { ConfigurationError } from "../../api/errors.ts";
import { writeAtomically } from "../../disk/atomic_write.ts";
import type { SiteStore } from "../../service/store/store.ts";

/** Name of the file with what the last update reported. */
const FILE = "update.json";

const stateSchema = z.object({
  edition: z.number(),
  production: z.object({
    from: z.string(),
    to: z.string(),
    validHours: z.number(),
    capacityFactor: z.number(),
  }).nullable(),
  doubts: z.array(z.object({ text: z.string(), cause: z.string() })),
});

/** What an update reports of a turbine: edition of its figures, production, findings that need a person. */
export type TurbineState = z.infer<typeof stateSchema>;

/** States by turbine. */
export type TurbineStates = Readonly<Record<string, TurbineState>>;

const statesSchema = z.record(z.string(), stateSchema);

/** Reads the states of all turbines as they are stored. */
export async function readStates(sites: SiteStore): Promise<TurbineStates> {
  const states: Record<string, TurbineState> = {};
  for (const id of await sites.turbineIds()) {
    const { edition, production = null, doubts = [] } = (await sites.turbine(id))!;
    states[id] = { edition, production, doubts: [...doubts] };
  }
  return states;
}

/**
 * Reads the states that the last update reported. They are written after everything else, so that what a killed update did
 * not report is reported by the next one.
 *
 * @param data The data directory
 * @returns `undefined` before the first update
 * @throws {ConfigurationError} If the file is not what an update writes
 */
export async function readReported(data: string): Promise<TurbineStates | undefined> {
  const path = `${data}/${FILE}`;
  try {
    return statesSchema.parse(JSON.parse(await Deno.readTextFile(path)));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw new ConfigurationError(
      `Cannot read ${path}: it is not what an update has written. Remove it: the next update then reports changes from now on`,
      { cause },
    );
  }
}

/** Writes the states that were reported. */
export async function writeReported(data: string, states: TurbineStates): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(states));
  await writeAtomically(`${data}/${FILE}`, bytes, { mode: 0o600, sync: true });
}

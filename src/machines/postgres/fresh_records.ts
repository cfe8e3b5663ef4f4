import type { KeptRecords } from "./kept_records.ts";
import type { Looks } from "./looks.ts";

/** Gives records from where they are stored, or as they were read before. */
export interface Records {
  get<T>(name: string, read: () => Promise<T>): Promise<T>;
  /** Makes what is read afterwards as new as this call. */
  renew(): Promise<void>;
}

/** Reads each time, as within a transaction, which sees what it has changed. */
export const READ_RECORDS: Records = {
  get: (_name, read) => read(),
  renew: () => Promise.resolve(),
};

/**
 * Gives records of sites as they were read before, until the next import by whatever process.
 *
 * @param looks What says whether there was an import
 */
export function createFreshRecords(looks: Looks, kept: KeptRecords): Records {
  return {
    get: async (name, read) => await kept.get(name, (await looks.latest()).imports, read),
    renew: async () => void await looks.again(),
  };
}

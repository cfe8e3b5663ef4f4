import { ArgumentError } from "../../api/errors.ts";
import { SYNTHETIC } from "../../api/world.ts";
import type { SiteRecord } from "./site_record.ts";

/**
 * Refuses a site of another world than that of a store with other sites: what a store answers is marked as a whole.
 *
 * @throws {ArgumentError} Always
 */
export function refuseWorld({ site, world }: Pick<SiteRecord, "site" | "world">): never {
  throw new ArgumentError(
    `Cannot import ${site}: ` +
      (world === "sample"
        ? `its files are ${SYNTHETIC}, and there are real sites already`
        : `there are ${SYNTHETIC} sites already, made of files of the sample`) +
      ". Import it into a data directory or a database of its own",
  );
}

import { attachProvenance, formatOrigin, type Provenance } from "../../frames/provenance.ts";
import { showAsCard } from "../../show/card.ts";
import { buildRecordRows, type Fields } from "../../show/record_rows.ts";

/** Makes a record of the service show itself as a card and have a provenance. It stays a plain object. */
export function showRecord<T extends object>(
  record: T,
  title: string,
  fields: Fields,
  provenance: Provenance,
): T {
  return showAsCard(attachProvenance(record, provenance), () => ({
    title,
    rows: buildRecordRows(record, fields),
    caption: formatOrigin([provenance]),
    synthetic: provenance.world === "sample",
  }));
}

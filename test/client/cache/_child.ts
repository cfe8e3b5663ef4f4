/**
 * A process of its own that asks for the hours of a turbine with a cache, and says what came: height, notes.
 *
 * @module
 */
import { connect } from "../../../src/client/connection/connection.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import { windIndices } from "../../../src/client/calls/wind_indices.ts";
import type { CacheMode } from "../../../src/client/connection/settings.ts";
import { provenance } from "../../../src/frames/provenance.ts";

const [url, home, cache, ...ids] = Deno.args;
const connection = connect({ url, home, cache: cache as CacheMode });
const told = [];
for (const id of ids) {
  const frame = id.startsWith("T")
    ? await modelData(id, { connection })
    : await windIndices(id, { connection });
  told.push([frame.height, (provenance(frame)!.notes ?? []).join("; ")]);
}
console.log(JSON.stringify(told));

/**
 * A process that fetches the hours of a turbine with a cache, and prints height and notes of each frame.
 *
 * @module
 */
import { connect } from "../../../src/client/connection/connection.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import { windIndices } from "../../../src/client/calls/wind_indices.ts";
import type { CacheMode } from "../../../src/client/connection/settings.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";

const [url, home, cache, ...ids] = Deno.args;
const connection = connect({ url, home, cache: cache as CacheMode });
const results = [];
for (const id of ids) {
  const frame = id.startsWith("T")
    ? await modelData(id, { connection })
    : await windIndices(id, { connection });
  results.push([frame.height, (provenance(frame)[0].notes ?? []).join("; ")]);
}
console.log(JSON.stringify(results));

/**
 * A process that gets two months of ERA5, says each state of the job, and the number of hours at the end.
 *
 * @module
 */
import { connect } from "../../src/client/connection/connection.ts";
import { era5 } from "../../src/client/sources/era5.ts";

const [home] = Deno.args;
const frame = await era5({
  latitude: 55.4,
  longitude: 7.9,
  from: "2023-01",
  to: "2023-02",
  connection: connect({ sample: true, home }),
  firstPause: 10,
  onStatus: ({ state }) => console.log(state),
});
console.log(frame.height);

/**
 * A process that gets two months of ERA5, prints each state of the job, and the number of hours at the end.
 *
 * @module
 */
import { getEra5 } from "../../src/era5/era5.ts";

const frame = await getEra5(
  {
    latitude: 55.4,
    longitude: 7.9,
    from: "2023-01",
    to: "2023-02",
    onStatus: ({ state }) => console.log(state),
  },
  Deno.env,
  { look: 10, queue: 10, search: 10 },
);
console.log(frame.height);

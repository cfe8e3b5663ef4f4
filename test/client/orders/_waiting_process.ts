/**
 * A process that waits for an order, and reports the first status.
 *
 * @module
 */
import { connect } from "../../../src/client/connection/connection.ts";
import { orderAndWait } from "../../../src/client/orders/place_order.ts";

const [url, home] = Deno.args;
await orderAndWait("era5", {
  latitude: 55.5,
  longitude: 7.75,
  from: 2020,
  to: 2020,
  connection: connect({ url, home }),
  onStatus: () => console.log("waiting"),
});

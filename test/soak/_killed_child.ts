/** The client that is killed: fetches model data into the cache, then an order to its frame. Arguments: address, home, latitude, repeat. */
import { connect } from "../../src/client/connection/connection.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { orderAndWait } from "../../src/client/orders/place_order.ts";
import { OrderUncertainError } from "../../src/api/errors.ts";

const [url, home, latitude, repeat] = Deno.args;
const key = Deno.env.get("VINDKIT_KEY")!;
const connection = connect({ url, key, home, progress: false });
const hours = await modelData("T1", { connection, cache: "refresh" });
try {
  const wind = await orderAndWait("era5", {
    latitude: Number(latitude),
    longitude: 7.75,
    from: 2014,
    to: 2023,
    firstPause: 20,
    cache: "use",
    repeat: repeat === "repeat",
    connection,
  });
  console.log(JSON.stringify({ hours: hours.height, order: wind.height }));
} catch (error) {
  if (!(error instanceof OrderUncertainError)) throw error;
  console.log(JSON.stringify({ hours: hours.height, order: "uncertain" }));
}

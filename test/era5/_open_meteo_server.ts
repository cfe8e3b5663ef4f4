/**
 * A fake archive of Open-Meteo on loopback, as ../shared/SOURCES.md 3 describes it. Its defaults are wrong for us
 * (km/h, land cells, local time zone), so an incomplete request gets wrong data. Its weather is SYNTHETIC.
 *
 * @module
 */
import { connect, type Connection } from "../../src/client/connection/connection.ts";
import { HOUR, makeValue } from "./_era5_data.ts";

/** The fake server, with its present behaviour. */
export interface OpenMeteoServer {
  readonly url: string;
  readonly seen: { readonly query: URLSearchParams; readonly key: string | null }[];
  readonly answers: (() => Response)[];
  readonly connection: Connection;
  /** First instant without data: later hours are null. */
  end: number;
  /** Value of a requested variable in its unit; replaces the SYNTHETIC one. */
  valueOf: (name: string, latitude: number, longitude: number, at: number) => number | null;
}

/** Returns SYNTHETIC values in the requested units. */
function makeOwnValue(name: string, latitude: number, longitude: number, at: number): number {
  const of = (short: string) => makeValue(short, latitude, longitude, at);
  const height = name.includes("100m") ? 100 : 10;
  const [u, v] = [of(`u${height}`), of(`v${height}`)];
  if (name.startsWith("wind_speed")) return Math.round(Math.hypot(u, v) * 100) / 100;
  if (name.startsWith("wind_direction")) {
    return (Math.round(Math.atan2(-u, -v) * 180 / Math.PI) + 360) % 360;
  }
  return name === "temperature_2m"
    ? Math.round((of("t2m") - 273.15) * 10) / 10
    : Math.round(of("sp") / 10) / 10;
}

const UNITS: Readonly<Record<string, string>> = {
  temperature_2m: "°C",
  surface_pressure: "hPa",
};

/** Applies the defaults for missing parameters: speed in km/h, another model, adjustment to the terrain. */
function shiftByDefaults(name: string, value: number | null, query: URLSearchParams) {
  if (value === null) return null;
  if (name.startsWith("wind_speed") && query.get("wind_speed_unit") !== "ms") return value * 3.6;
  const flat = (query.get("elevation") ?? "").split(",").every((one) => one === "nan");
  const shift = (flat ? 0 : 2) + (query.get("models") === "era5" ? 0 : 1);
  return name === "temperature_2m" ? value + shift : value;
}

function answer(server: OpenMeteoServer, query: URLSearchParams): Response {
  const list = (name: string) => (query.get(name) ?? "").split(",");
  const [latitudes, longitudes] = [list("latitude"), list("longitude")].map((all) =>
    all.map(Number)
  );
  const names = list("hourly");
  const from = Date.parse(`${query.get("start_date")}T00:00Z`);
  const end = Date.parse(`${query.get("end_date")}T00:00Z`) + 24 * HOUR;
  const hours = Array.from({ length: (end - from) / HOUR }, (_, i) => from + i * HOUR);
  const offset = query.get("timezone") === "UTC" ? 0 : 3600;
  const speed = query.get("wind_speed_unit") === "ms" ? "m/s" : "km/h";
  const near = query.get("cell_selection") === "nearest" ? 0 : 0.25;
  const places = latitudes.map((latitude, i) => {
    const cell = { latitude: latitude + near, longitude: longitudes[i] };
    const series = names.map((name) => [
      name,
      hours.map((at) =>
        at < server.end
          ? shiftByDefaults(name, server.valueOf(name, cell.latitude, cell.longitude, at), query)
          : null
      ),
    ]);
    const unit = (name: string) => UNITS[name] ?? (name.startsWith("wind_speed") ? speed : "°");
    return {
      ...cell,
      generationtime_ms: 1.5,
      utc_offset_seconds: offset,
      timezone: offset === 0 ? "GMT" : "Europe/Berlin",
      timezone_abbreviation: "GMT",
      elevation: 0,
      hourly_units: {
        time: "iso8601",
        ...Object.fromEntries(names.map((name) => [name, unit(name)])),
      },
      hourly: {
        time: hours.map((at) => new Date(at).toISOString().slice(0, 16)),
        ...Object.fromEntries(series),
      },
    };
  });
  return Response.json(places.length === 1 ? places[0] : places);
}

/** Runs a test with a fake server. */
export async function withOpenMeteo(
  body: (server: OpenMeteoServer) => Promise<void>,
): Promise<void> {
  const seen: OpenMeteoServer["seen"] = [];
  const listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/v1/archive") return new Response("no such path", { status: 404 });
      seen.push({ query: searchParams, key: request.headers.get("x-api-key") });
      return server.answers.shift()?.() ?? answer(server, searchParams);
    },
  );
  const home = await Deno.makeTempDir();
  const server: OpenMeteoServer = {
    url: `http://127.0.0.1:${listener.addr.port}`,
    seen,
    answers: [],
    connection: connect({ sample: true, home }),
    end: Infinity,
    valueOf: makeOwnValue,
  };
  try {
    await body(server);
  } finally {
    await server.connection.close();
    await listener.shutdown();
    await Deno.remove(home, { recursive: true });
  }
}

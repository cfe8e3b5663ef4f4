import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { guessVariables } from "../../../src/cli/init/guess_climate.ts";

/** Variables of columns by name, each with a first cell. */
function guess(columns: Readonly<Record<string, string>>): string[] {
  const variables = guessVariables(
    Object.entries(columns).map(([name, cell]) => ({ name, cells: "numbers", first: [cell] })),
  );
  return variables.map(({ variable, column, unit }) => `${variable}=${column} ${unit}`);
}

describe("climate variables", () => {
  it("are found by the names of ERA5, MERRA-2 and Open-Meteo, with units from names and values", () => {
    assertEquals(guess({ u100: "2.4", v100: "3.4", t2m: "275.6", sp: "98388" }), [
      "wind_u_100=u100 m/s",
      "wind_v_100=v100 m/s",
      "temperature=t2m K",
      "pressure=sp Pa",
    ]);
    assertEquals(guess({ U50M: "2", V50M: "3", T2M: "273", PS: "98509" }), [
      "wind_u_50=U50M m/s",
      "wind_v_50=V50M m/s",
      "temperature=T2M K",
      "pressure=PS Pa",
    ]);
    assertEquals(
      guess({
        "wind_speed_100m (km/h)": "30",
        "wind_direction_100m (°)": "270",
        "surface_pressure (hPa)": "1001",
        "temperature_2m (°C)": "9",
      }),
      [
        "wind_speed_100=wind_speed_100m (km/h) km/h",
        "wind_direction_100=wind_direction_100m (°) deg",
        "pressure=surface_pressure (hPa) hPa",
        "temperature=temperature_2m (°C) degC",
      ],
    );
    assertEquals(guess({ power: "3", gusts: "4" }), []);
  });

  it("M9: have the unit in their names or a plausible one, and otherwise none", () => {
    assertEquals(
      guess({
        "temperature_2m (°F)": "50",
        "wind_speed_100m (mp/h)": "20",
        wind_speed_10m: "30",
        PS: "101.3",
        u100_ms: "2",
        t2m_k: "275",
        pressure_pa: "98387.8",
      }),
      [
        "temperature=temperature_2m (°F) degF",
        "wind_speed_100=wind_speed_100m (mp/h) undefined",
        "wind_speed_10=wind_speed_10m undefined",
        "pressure=PS kPa",
        "wind_u_100=u100_ms m/s",
      ],
    );
  });
});

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { monthlyReport } from "../../../src/client/calls/reports.ts";
import { turbineDetails } from "../../../src/client/calls/turbines.ts";
import { monthlyIndex } from "../../../src/client/calls/wind_indices.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { withServer } from "../_local_server.ts";

const details = {
  turbine_id: "T1",
  name: "Vesterklit <1>",
  latitude: 55.6,
  longitude: 7.92,
  hub_height: 80,
  rated_power: 2300,
  rotor_diameter: null,
  time_zone: "Europe/Copenhagen",
  training_start: "2021-01-01",
  training_end: "2024-12-31",
  data_ready: true,
  last_wind_index: { month: 5, year: 2025 },
  power_curve: {
    power_control: "pcPitch",
    power: [{ wind_speed: 4, power: 73 }, { wind_speed: 25, power: 2300 }],
  },
  elevation: 12.345,
};

const month = {
  turbine_id: "T1",
  year: 2024,
  month: 5,
  monthIndex: 78.0398,
  month_abnormality_index: null,
  last12_month_index: 101.93,
  last_full_quarter_index: 106,
  last_full_year_index: 102.25,
  predicted_production: 636.119,
};

const report = {
  turbine_id: "T1",
  name: "Vesterklit",
  period: "2024-05",
  revision: 1,
  status: "final",
  completeness: null,
  indices: { monthIndex: 78.0398, predicted_production: 636.119 },
  history: [{ period: "2023-06" }, { period: "2024-05" }],
  reference_period: {
    first_year: 2006,
    mean_annual_production: 9781.46,
    mean_annual_production_low: 9634.74,
    inter_annual_variability: 7.135,
  },
  calibration: {
    k: 0.9172,
    k_low: 0.9072,
    hours: 34409,
    parameters: [{ name: "k", value: 1 }],
    findings: [],
  },
  notes: ["A sentence."],
};

/** HTML and text of an object, without the time of the call and the hash. */
function renderRecord(value: object): { html: string; text: string } {
  const display = value as { [JUPYTER_DISPLAY](): Record<string, string> };
  const bundle = display[JUPYTER_DISPLAY]();
  assertEquals(Object.keys(bundle), ["text/html", "text/plain"]);
  assertEquals(Deno.inspect(value), bundle["text/plain"]);
  const text = bundle["text/plain"]
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\dZ, sha256 [0-9a-f]{12}/, "(stamp and hash)");
  return { html: bundle["text/html"], text };
}

async function fetchRecord<T>(body: object, call: (options: object) => Promise<T>): Promise<T> {
  let value: T;
  const headers = { "vindkit-world": "sample" };
  await withServer(() => Response.json(body, { headers }), async ({ connection }) => {
    value = await call({ connection });
  });
  return value!;
}

const SOURCE = "SYNTHETIC: the built-in sample, not real data, (stamp and hash)";

describe("a record shows itself", () => {
  it("as turbine details", async () => {
    const { text, html } = renderRecord(await fetchRecord(details, (o) => turbineDetails("T1", o)));
    assertEquals(
      text,
      `SYNTHETIC: invented figures, not real data
Turbine T1

Turbine         T1
Name            Vesterklit <1>
Latitude        55.6000 deg
Longitude       7.9200 deg
Hub height      80 m
Rated power     2,300 kW
Rotor diameter  –
Time zone       Europe/Copenhagen
Training from   2021-01-01
Training to     2024-12-31
Data ready      yes
Last index      2025-05
Power curve     2 points, 4 to 25 m/s, pcPitch
Elevation       12.35 m

turbine_details from ${SOURCE}`,
    );
    assertStringIncludes(html, "Vesterklit &lt;1&gt;");
    assertStringIncludes(html, 'title="hub_height: Hub height above ground."');
  });

  it("with the figures of a month", async () => {
    const { text } = renderRecord(
      await fetchRecord(month, (o) => monthlyIndex("T1", "2024-05", o)),
    );
    assertEquals(
      text,
      `SYNTHETIC: invented figures, not real data
Wind index of T1, 2024-05

Turbine                  T1
Year                     2024
Month                    5
Month index              78.0 %
Month abnormality index  –
Last 12 months index     101.9 %
Last full quarter index  106 %
Last full year index     102.3 %
Predicted production     636.1 MWh

monthly_index from ${SOURCE}`,
    );
  });

  it("has its provenance, for its charts", async () => {
    const [from] = provenance(await fetchRecord(details, (o) => turbineDetails("T1", o)));
    assertEquals([from.operation, from.world], ["turbine_details", "sample"]);
  });

  it("as a report", async () => {
    const { text } = renderRecord(
      await fetchRecord(report, (o) => monthlyReport("T1", "2024-05", o)),
    );
    assertEquals(
      text,
      `SYNTHETIC: invented figures, not real data
Report of T1, 2024-05

Turbine                        T1
Name                           Vesterklit
Period                         2024-05
Revision                       1
Status                         final
Completeness                   –
Indices
  Month index                  78.0 %
  Predicted production         636.1 MWh
History                        2 months, 2023-06 to 2024-05
Reference period
  First year                   2006
  Mean annual production       9,781 MWh
  Mean annual production, low  9,635 MWh
  Inter-annual variability     7.1 %
Calibration
  k                            0.9172
  k, low                       0.9072
  Hours                        34409 h
  Parameters                   1 value
  Findings                     0 findings
Notes                          1 note

monthly_report from ${SOURCE}`,
    );
  });
});

describe("a record stays a plain object", () => {
  it("to spread, compare, clone and write as JSON", async () => {
    const value = await fetchRecord(details, (o) => turbineDetails("T1", o));
    assertEquals(value as unknown, details);
    assertEquals({ ...value } as unknown, details);
    assertEquals(structuredClone(value) as unknown, details);
    assertEquals(JSON.stringify(value), JSON.stringify(details));
  });
});

describe("F26 a record of a hostile service", () => {
  const attack = `<script>alert("1")</script>\u202e\u001b[31m`;

  it("is escaped, whatever its names and values are", async () => {
    const hostile = { ...details, name: attack, [attack]: attack, power_curve: null };
    for (
      const part of Object.values(
        renderRecord(await fetchRecord(hostile, (o) => turbineDetails("T1", o))),
      )
    ) {
      assert(!part.includes("\u202e") && !part.includes("\u001b"), part);
    }
    const { html } = renderRecord(await fetchRecord(hostile, (o) => turbineDetails("T1", o)));
    assert(!html.includes("<script"));
  });

  it("is short, even with many fields and points", async () => {
    const hostile: Record<string, unknown> = {
      ...details,
      power_curve: {
        power_control: "pcStall",
        power: Array.from({ length: 200_000 }, (_, i) => ({ wind_speed: i, power: i })),
      },
    };
    for (let i = 0; i < 10_000; i++) hostile[`field_${i}`] = "x".repeat(300);
    const value = await fetchRecord(hostile, (o) => turbineDetails("T1", o));
    const { text, html } = renderRecord(value);
    assertEquals(Object.keys(value).length, 10_014);
    assertStringIncludes(text, "200000 points, 0 to 199999 m/s, pcStall");
    assertStringIncludes(text, "… 9,954 more fields not shown …");
    assert(text.length < 20_000 && html.length < 60_000, `${text.length}, ${html.length}`);
  });

  it("is shown even if a report's fields have names of object members, or differ from ours", async () => {
    const body = `{"__proto__": {"toString": 1}, "constructor": "c", "history": [null], ` +
      `"notes": 7, "calibration": [], "intervals": {"level": {"deep": [1]}}, "huge": 9007199254740993}`;
    await withServer(
      () => new Response(body, { headers: { "content-type": "application/json" } }),
      async ({ connection }) => {
        const { text } = renderRecord(await monthlyReport("T1", "2024-05", { connection }));
        assertStringIncludes(text, "History      1 item");
        assertStringIncludes(text, "Notes        7");
        assertStringIncludes(text, "  Level      {deep: [1]}");
        assertStringIncludes(text, "huge         9007199254740993");
        assertEquals(({} as { toString: unknown }).toString, Object.prototype.toString);
      },
    );
  });
});

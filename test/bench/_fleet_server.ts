/**
 * Serves details and ten years of indices of any number of turbines, in parks of fifty; prints its address. Bodies
 * have the shape and size of real ones, with different figures for each turbine.
 */
import { wireName } from "../../src/api/columns/column.ts";
import { windIndicesCsv } from "../../src/api/columns/columns.ts";

const NORMALS = [137, 121, 115, 92, 80, 72, 66, 73, 95, 112, 117, 120];

function answerDetails(id: string): Response {
  const i = Number(id.slice(1));
  const park = Math.floor(i / 50);
  return Response.json({
    turbine_id: id,
    name: `Park ${String.fromCharCode(65 + park)} ${i % 50 + 1}`,
    latitude: 54.5 + park / 4 + (i % 7) / 200,
    longitude: 7 + park / 3 + (i % 50) / 300,
    hub_height: 80 + i % 40,
    rated_power: 2300,
    rotor_diameter: 92,
    time_zone: "Europe/Copenhagen",
    training_start: "2020-01-01",
    training_end: "2024-12-31",
    data_ready: true,
    last_wind_index: { month: 12, year: 2025 },
    power_curve: {
      power_control: "pcPitch",
      power: Array.from({ length: 22 }, (_, k) => ({ wind_speed: k + 4, power: 100 * k })),
    },
  });
}

function answerIndices(id: string): Response {
  const i = Number(id.slice(1));
  const rows = [windIndicesCsv.map(wireName).join(",")];
  for (let month = 0; month < 120; month++) {
    const abnormality = 100 + 25 * Math.sin(month * 2.3 + i / 9) + i % 11;
    const index = abnormality * NORMALS[month % 12] / 100;
    const energy = 8 * index;
    const [year, number] = [2016 + Math.floor(month / 12), month % 12 + 1];
    const last = [100 + 5 * Math.sin(month / 3 + i), 99, 101, energy];
    const state = [month < 117 ? "final" : "preliminary", 1, 1, 0.9 * energy, 1.1 * energy];
    rows.push([year, number, index, abnormality, ...last, ...state].join(","));
  }
  return new Response(rows.join("\n") + "\n", { headers: { "content-type": "text/csv" } });
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
}, (request) => {
  const { pathname } = new URL(request.url);
  const id = /W\d+/.exec(pathname)?.[0];
  if (!id) return new Response(null, { status: 404 });
  return pathname.includes("/wind_indices/") ? answerIndices(id) : answerDetails(id);
});

import { windIndicesCsv } from "../../src/api/columns/columns.ts";
import { wireName } from "../../src/api/columns/column.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { startServer } from "./_served.ts";
import { timed } from "./_timing.ts";

const TURBINES = 200;
const PAUSE = 30; // ms per answer

function tenYears(): string {
  const names = windIndicesCsv.map(wireName);
  const rows = [names.join(",")];
  for (let month = 0; month < 120; month++) {
    const figures = Array.from(
      { length: 6 },
      (_, i) => (100 + 10 * Math.sin(month + i)).toFixed(2),
    );
    const row = [2015 + Math.floor(month / 12), month % 12 + 1, ...figures, "final", 1, 1, 90, 110];
    rows.push(row.join(","));
  }
  return rows.join("\n") + "\n";
}

/** Measures the indices of 200 turbines from a service with 30 ms per answer, against one request after the other. */
export async function fanOutIndices(): Promise<BenchmarkRow> {
  const path = await Deno.makeTempFile({ suffix: ".csv" });
  await Deno.writeTextFile(path, tenYears());
  await using server = await startServer(path, { "content-type": "text/csv" }, PAUSE);
  let requests = 0;
  const open = () =>
    connect({ url: server.url, progress: false, onRequest: () => void requests++ });
  const ids = Array.from({ length: TURBINES }, (_, i) => `T${i}`);
  const span = { from: "2015-01", to: "2024-12" };
  await monthlyIndices(ids.slice(0, 2), { ...span, connection: open() }); // warm up
  const connection = open();
  requests = 0;
  const together = await timed(() => monthlyIndices(ids, { ...span, connection }));
  const calls = requests;
  const single = open();
  const inTurn = await timed(async () => {
    for (const id of ids) await monthlyIndices(id, { ...span, connection: single });
  });
  await Deno.remove(path);
  const ratio = inTurn / together;
  return {
    what: `indices of ${TURBINES} turbines x 10 years at ${PAUSE} ms per answer`,
    measured: `${together.toFixed(0)} ms in ${calls} calls, ${ratio.toFixed(1)} x faster`,
    bound: `${TURBINES} calls, at least 8 x faster than in turn`,
    holds: calls === TURBINES && ratio >= 8,
  };
}

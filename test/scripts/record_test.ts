/** Which months of a record count. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { connect, monthlyIndices } from "../../mod.ts";
import { monthsOf } from "../../scripts/_record.ts";

describe("monthsOf()", () => {
  it("counts the months of a service that serves no completeness", async () => {
    await using connection = connect({ sample: true });
    const indices = (await monthlyIndices("T1", { from: "2024-01", to: "2024-03", connection }))
      .withColumns(
        pl.lit(null).cast(pl.Float64).alias("completeness"),
        pl.when(pl.col("month").dt.month().eq(2)).then(pl.lit(null))
          .otherwise(pl.col("month_index")).alias("month_index"),
      );
    const frame = pl.DataFrame({
      month: indices.getColumn("month"),
      energy: pl.Series("energy", [900, 800, null], pl.Float64),
    });
    const site = { turbineId: "T1", frame, exclusions: [] };
    const months = await monthsOf(site, indices, "T1", [], connection);
    assertEquals(
      months.map(({ month, produced, left_out }) => [month, produced, left_out]),
      [["2024-01", 900, null], ["2024-02", 800, "no index"], ["2024-03", null, "no production"]],
    );
  });
});

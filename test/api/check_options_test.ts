import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { nameOptions } from "../../src/show/options/check_options.ts";

interface Common {
  data: string;
  signal?: AbortSignal;
}

interface Options extends Common {
  month?: string;
}

describe("nameOptions()", () => {
  const common = nameOptions<Common>()("data! signal");

  it("names options in their order, those that are needed with an exclamation mark", () => {
    assertEquals(common, { data: "needed", signal: "optional" });
    assertEquals(Object.keys(nameOptions<Options>()("month", common)), ["month", "data", "signal"]);
  });

  it("does not compile where one is missing, unknown or not marked as needed", () => {
    nameOptions<Common>()("signal data!");
    // @ts-expect-error: signal is missing
    nameOptions<Common>()("data!");
    // @ts-expect-error: data is needed
    nameOptions<Common>()("data signal");
    // @ts-expect-error: there is no such option
    nameOptions<Common>()("data! signal month");
    // @ts-expect-error: month is missing
    nameOptions<Options>()("", common);
  });
});

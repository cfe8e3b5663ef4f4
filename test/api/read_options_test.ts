import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../src/api/errors.ts";
import { declareOptions, readOptions } from "../../src/show/options/read_options.ts";

interface Common {
  data: string;
  signal?: AbortSignal;
}

interface Options extends Common {
  month?: string;
  draws?: number;
}

const common = declareOptions<Common>()("data! signal");
const table = declareOptions<Options>()("month", { draws: 10 }, common);

describe("declareOptions()", () => {
  it("names options, required ones with an exclamation mark, and their defaults", () => {
    assertEquals(common.names, { data: "needed", signal: "optional" });
    assertEquals(Object.keys(table.names), ["month", "draws", "data", "signal"]);
    assertEquals(table.defaults, { draws: 10 });
  });

  it("does not compile if one is missing, unknown or not marked as required", () => {
    declareOptions<Common>()("signal data!");
    // @ts-expect-error: signal is missing
    declareOptions<Common>()("data!");
    // @ts-expect-error: data is needed
    declareOptions<Common>()("data signal");
    // @ts-expect-error: there is no such option
    declareOptions<Common>()("data! signal month");
    // @ts-expect-error: month is missing
    declareOptions<Options>()("", { draws: 10 }, common);
    // @ts-expect-error: draws are a number
    declareOptions<Options>()("month", { draws: "10" }, common);
  });
});

describe("readOptions()", () => {
  it("fills in missing and undefined options, and leaves null", () => {
    const options = { data: "d", draws: undefined, month: null } as unknown as Options;
    const read = readOptions("call()", options, table);
    const draws: number = read.draws; // compiles: it has a value
    assertEquals([draws, read.data, read.month as unknown], [10, "d", null]);
    assertEquals(options.draws, undefined);
  });

  it("refuses unknown options, and missing required ones", () => {
    const refuse = (options: unknown, text: string) =>
      assertThrows(() => readOptions("call()", options as Options, table), ArgumentError, text);
    refuse({ data: "d", draw: 1 }, 'it has no option "draw". Did you mean "draws"?');
    refuse({}, "data is missing. The options need { data }");
    refuse([], "Give an object, such as { month: … }");
  });
});

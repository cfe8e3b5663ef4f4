import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { countWorkers } from "../../../src/cli/data/serve.ts";

it("serve has one to four workers, for any number of cores", () => {
  assertEquals([1, 2, 4, 5, 96].map(countWorkers), [1, 1, 3, 4, 4]);
});

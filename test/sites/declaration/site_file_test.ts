import { assert, assertEquals, assertThrows } from "@std/assert";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { parseJsonFile } from "../../../src/frames/files/json.ts";
import {
  completeReanalysis,
  parseSite,
  type SiteFile,
} from "../../../src/sites/declaration/site_file.ts";

describe("a site file with several reanalyses", () => {
  let declared: SiteFile;

  /** The example of the docs. */
  beforeEach(async () => {
    const page = await Deno.readTextFile(new URL("../../../docs/site-file.md", import.meta.url));
    const example = /```json\n(\{\n {2}"site": "hill"[^`]*)```/.exec(page)![1];
    declared = parseSite(parseJsonFile(example, "site.json"), "import site.json");
  });

  it("has each with its dataset and climate, as in the docs", () => {
    const { dataset, other_reanalyses } = declared;
    assertEquals(dataset.service_id, "era5");
    assertEquals(other_reanalyses!.map(({ dataset }) => dataset.service_id), ["merra2"]);
    assertEquals(other_reanalyses![0].climate[0].stamp, "middle");
  });

  it("is rejected if a dataset is duplicated", () => {
    declared.other_reanalyses![0].dataset.service_id = "era5";
    assertThrows(
      () => parseSite(parseJsonFile(JSON.stringify(declared), "site.json"), "import site.json"),
      ArgumentError,
      'Cannot import site.json: other_reanalyses[0].dataset.service_id: "era5" is duplicated. ' +
        "Name all files of a dataset in one climate",
    );
  });

  it("is rejected if an additional one has no climate or an unknown field", () => {
    const [other] = declared.other_reanalyses!;
    for (
      const [wrong, place] of [
        [{ ...other, climate: [] }, "other_reanalyses[0].climate"],
        [{ ...other, weight: 0.5 }, "other_reanalyses[0]"],
      ] as const
    ) {
      assertThrows(
        () =>
          parseSite(
            parseJsonFile(JSON.stringify({ ...declared, other_reanalyses: [wrong] }), "site.json"),
            "import site.json",
          ),
        ArgumentError,
        `Cannot import site.json: ${place}`,
      );
    }
  });
});

describe("S22: the dataset of a site file", () => {
  const attributionOf = (dataset: object) =>
    parseSite({
      site: "hill",
      dataset: { short_description: "Climate", ...dataset },
      climate: [{ files: ["a.nc"], stamp: "instant" }],
      turbines: [],
    }, "import site.json").dataset.attribution;

  it("has the line of Copernicus if it is era5 and names none", () => {
    const [line, ...others] = attributionOf({ service_id: "era5" });
    assert(
      /^Contains modified Copernicus Climate Change Service information 20\d\d;/.test(line),
      line,
    );
    assertEquals(others, []);
  });

  it("differs for each source of ERA5", () => {
    const idOf = (source: "cds" | "open-meteo") =>
      completeReanalysis({ climate: { source, points: 1, from: "2005" } }).dataset.service_id;
    assertEquals([idOf("cds"), idOf("open-meteo")], ["era5", "era5_open_meteo"]);
  });

  it("has only the attribution that it names if it is another dataset", () => {
    assertEquals(attributionOf({ service_id: "era5", attribution: ["mine"] }), ["mine"]);
    assertEquals(attributionOf({ service_id: "era5", attribution: [] }), []);
    assertEquals(attributionOf({ service_id: "merra2" }), []);
  });
});

/**
 * Each answer is declared once as a type and once as a table (columns, parameters, schema). An edit of one of them alone
 * must not pass the type check, and a field declared in both but never filled must not pass the tests. The tests make
 * these edits in a copy of the sources.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type Edit, EditedCopies, type TypeFault } from "./_edited_copies.ts";

const MONTH = "src/api/columns/month_columns.ts";
const TURBINE = "src/api/columns/turbine_columns.ts";
const MODEL = "src/api/columns/model_columns.ts";
const DATASET = "src/api/columns/dataset_columns.ts";
const REPORT_LISTS = "src/api/columns/report_columns.ts";
const DETAILS = "src/api/resources/resources.ts";
const REPORT = "src/api/resources/report_resource.ts";
const ORDER = "src/api/operations/climate_data.ts";
const WORDS = "src/api/operations/order_words.ts";
const OPERATIONS = "src/api/operations/wind_index.ts";

/** One-sided edits of a file: name, text to replace, replacement. */
type LoneEdit = readonly [what: string, file: string, from: string, to: string];

const COLUMN = `gust: { dtype: "f64", label: "Gust", description: "A gust.", tag: "ours" },`;
const OPTIONAL_COLUMN = COLUMN.replace(" },", ", optional: true },");

/** An edit that adds something before a text. */
function before(what: string, file: string, from: string, added: string): LoneEdit {
  return [what, file, from, `${added}\n${from}`];
}

const PROPERTY = "  readonly gust: number | null;";
const FIELD = `  gust: numberOrNull("A gust."),`;

const edits: readonly LoneEdit[] = [
  before("a figure in the table", MONTH, "  predicted_production: nullable(", COLUMN),
  before("a figure in the type", MONTH, "  /** Modelled energy of the month, MWh. */", PROPERTY),
  before("a state in the table", MONTH, "  completeness: added(", OPTIONAL_COLUMN),
  before(
    "a state in the type",
    MONTH,
    "  /** Share of valid hours. */",
    "  readonly gust?: number | null;",
  ),
  before("an end of the interval in the type", MONTH, "  /** Upper end, MWh. */", PROPERTY),
  [
    "the unit of a figure in the table",
    MONTH,
    `of one turbine.",\n    { unit: "MWh"`,
    `of one turbine.",\n    { unit: "kWh"`,
  ],
  [
    "the unit of a figure in the type",
    MONTH,
    `predicted_production: Quantity<"MWh">`,
    `predicted_production: Quantity<"kWh">`,
  ],
  [
    "the dtype of a state",
    MONTH,
    `revision: added("i32"`,
    `revision: added("utf8"`,
  ],
  ["a state that may not be absent", MONTH, "completeness?: number", "completeness: number"],
  ["the name of a figure on the wire", MONTH, `wire: "monthIndex"`, `wire: "month"`],

  before("details in the table", TURBINE, "  rated_power: documented(", COLUMN),
  before("details in the type", TURBINE, "  /** Rotor diameter, m. */", PROPERTY),
  ["the unit of details", TURBINE, `    unit: "kW",`, `    unit: "MW",`],
  ["the dtype of details", TURBINE, `documented("bool"`, `documented("utf8"`],
  before(
    "details in the schema",
    DETAILS,
    "  last_wind_index: documented(",
    `  gust: documented(z.number(), "A gust."),`,
  ),
  before(
    "details in the type behind the schema",
    DETAILS,
    "  /** Last month with an index. */",
    PROPERTY,
  ),
  before(
    "a value of the power curve in the type",
    DETAILS,
    "  /** Power, kW. */",
    PROPERTY,
  ),

  before(
    "a field of the report in the schema",
    REPORT,
    `  name: text("Name of the turbine."),`,
    FIELD,
  ),
  before("a field of the report in the type", REPORT, "  /** Name of the turbine. */", PROPERTY),
  before(
    "the calibration in the schema",
    REPORT,
    '  k: number(\n    "Factor on the wind speed at hub height',
    FIELD,
  ),
  before(
    "the calibration in the type",
    REPORT,
    "  /** Kind of scaling. */\n  readonly scaling: string;\n  /** Parts of the scaling",
    PROPERTY,
  ),
  ["null in the schema of the report", REPORT, "  hours: number(", "  hours: numberOrNull("],
  [
    "null in the type of the report",
    REPORT,
    "readonly seed: number;",
    "readonly seed: number | null;",
  ],
  ["the type of a field of the report", REPORT, `  seed: wholeNumber(`, `  seed: text(`],
  before(
    "a reported turbine in the table",
    REPORT_LISTS,
    "  last_available_report: documented(",
    COLUMN,
  ),
  before("a reported month in the type", REPORT_LISTS, "  /** The month, YYYY-MM. */", PROPERTY),

  before(
    "a parameter of an order in the table",
    ORDER,
    "  start_year: {",
    `  height: { in: "query", type: "number", required: true, description: "Height.", tag: "ours" },`,
  ),
  before(
    "a parameter of an order in the type",
    ORDER,
    "  /** Format of the file. */",
    "  readonly height: number;",
  ),
  ["the type of a parameter", ORDER, "readonly start_year: number", "readonly start_year: string"],
  [
    "the unit of a parameter",
    ORDER,
    `readonly lon: Quantity<"deg">`,
    `readonly lon: Quantity<"m">`,
  ],
  before("a status of an order in the table", WORDS, `  placed: "`, `  lost: "it is lost",`),
  ["a status of an order in the type", WORDS, `"placed" | `, `"placed" | "lost" | `],

  before("a dataset in the table", DATASET, "  data_group: documented(", COLUMN),
  before(
    "the coverage in the type",
    DATASET,
    "  /** Last day with data at the point. */",
    PROPERTY,
  ),
  before(
    "an hour of the model in the type",
    MODEL,
    "  /** Mean power of the hour, kW. */",
    PROPERTY,
  ),
  before("an operation in the type", OPERATIONS, `  | "turbine_details"`, `  | "gusts"`),
  ["an operation in the table", OPERATIONS, "  turbine_details: {", "  gusts: {"],
];

/** A column of turbine details in table and type. */
const declared: readonly Edit[] = [
  {
    file: TURBINE,
    from: "  rated_power: documented(",
    to: `${COLUMN}\n  rated_power: documented(`,
  },
  {
    file: TURBINE,
    from: "  /** Rotor diameter, m. */",
    to: `${PROPERTY}\n  /** Rotor diameter, m. */`,
  },
];

const SERVICE = "src/service/operations/wind_index.ts";

/** Makes the service answer null for it. */
const unfilled: Edit = {
  file: SERVICE,
  from: "    rated_power: turbine.ratedPower,",
  to: "    rated_power: turbine.ratedPower,\n    gust: null,",
};

const CONTRACT = { folder: "src/api", entry: "src/api/openapi/openapi.ts" };
const WHOLE = { folder: "src", entry: "src/service/mod.ts" };

/** A state of the month in table and type. */
const stated: readonly Edit[] = [
  { file: MONTH, from: "  completeness: added(", to: `${OPTIONAL_COLUMN}\n  completeness: added(` },
  {
    file: MONTH,
    from: "  /** Share of valid hours. */",
    to: "  readonly gust?: number | null;\n  /** Share of valid hours. */",
  },
];

describe("the type check", () => {
  let copies: EditedCopies;
  let alone: TypeFault[][];
  let [unedited, ofStated, ofDeclared, ofUnfilled]: TypeFault[][] = [];

  beforeAll(async () => {
    copies = await EditedCopies.make([
      { ...CONTRACT, edits: [] },
      { ...WHOLE, edits: stated },
      { ...WHOLE, entry: SERVICE, edits: declared },
      { ...WHOLE, edits: [...declared, unfilled] },
      ...edits.map(([, file, from, to]) => ({ ...CONTRACT, edits: [{ file, from, to }] })),
    ]);
    [unedited, ofStated, ofDeclared, ofUnfilled, ...alone] = await copies.check();
  });
  afterAll(async () => await copies.remove());

  it("accepts the unchanged contract", () => {
    assertEquals(unedited, []);
  });

  for (const [i, [label, file]] of edits.entries()) {
    it(`refuses a one-sided edit of ${label}`, () => {
      const faults = alone[i].filter((fault) => fault.file === file);
      assert(faults.length > 0, "it passes");
      for (const { message } of faults) assertMatch(message, /\bTS\d+ /);
    });
  }

  it("refuses a state of the month that neither engine nor import fill", () => {
    const faults = ofStated.filter(({ file }) => file === "src/windindex/index/indices.ts");
    assert(faults.some(({ message }) => message.includes("Property 'gust' is missing")));
  });

  it("refuses a field of the details that the service does not answer", () => {
    assert(ofDeclared.some(({ message }) => message.includes("Property 'gust' is missing")));
  });

  it("accepts a column that is always null, which the test of the contract then refuses", async () => {
    assertEquals(ofUnfilled, []);
    const tested = await copies.test("test/service/operations/contract_filled_test.ts", [
      ...declared,
      unfilled,
    ]);
    assert(!tested.success, "it passes");
    assertMatch(tested.output, /fills all declared fields of turbine_details .*FAILED/);
    assertMatch(tested.output, /"gust"/);
    assertMatch(tested.output, /fills all declared fields of monthly_report .*ok/);
  });
});

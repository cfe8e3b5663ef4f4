/** Walks through the lesson of docs/teaching.md with a clock. */
import { JupyterLab } from "../notebook/ours/_jupyterlab.ts";
import { NotebookCopies } from "../notebook/ours/_notebooks.ts";
import { openNotebook } from "../notebook/ours/_lab_page.ts";
import { whyWithout } from "../peers/_venv.ts";
import { Browser, CHROMIUM, type Page } from "../service/pages/_browser.ts";

/** Words read per second; seconds for a chart, a table and printed lines, and at most for the code of a cell. */
const PACE = { words: 130 / 60, chart: 40, table: 20, print: 10, code: 20 } as const;

/** A notebook of the lesson: headings to skip, its minutes in docs/teaching.md, and answers with their seconds. */
interface Walk {
  readonly name: string;
  readonly passed: RegExp;
  readonly minutes: readonly [parts: number, exercise: number];
  readonly answers: readonly (readonly [from: string, to: string, seconds: number, said: RegExp])[];
}

const walks: readonly Walk[] = [
  {
    name: "1_first_look.ipynb",
    passed: /^Taking it along/,
    minutes: [11, 7],
    answers: [
      ["= NaN;", "= 107;", 90, /Not yet: the index would be 88 %/],
      ["= 107;", "= 124;", 75, /^Right/],
    ],
  },
  {
    name: "3_performance_check.ipynb",
    passed: /^(Month by month|How long could|What was it worth|How sure)/,
    minutes: [10, 7],
    answers: [
      ['"2021-06": ""', '"2021-06": "turbine"', 60, /2021-06: not yet/],
      ['"2022-04": ""', '"2022-04": "turbine"', 60, /2022-04: right/],
      ['"2024-08": ""', '"2024-08": "turbine"', 60, /2024-08: not yet/],
      ['"2021-06": "turbine"', '"2021-06": "wind"', 40, /2021-06: right/],
      ['"2024-08": "turbine"', '"2024-08": "wind"', 40, /2024-08: right/],
    ],
  },
];

const NOTEBOOK = "window.jupyterapp.shell.currentWidget.content";

const wait = (seconds: number) => new Promise((done) => setTimeout(done, 1000 * seconds));

const countSeconds = (text: string) => text.split(/\s+/).length / PACE.words;

/** Runs a cell as Shift+Enter does, and waits for its outputs. */
async function runCell(page: Page, i: number) {
  await page.value(`(() => { ${NOTEBOOK}.activeCellIndex = ${i}; return true; })()`);
  await page.value(`jupyterapp.commands.execute("notebook:run-cell").then(() => true)`);
  return await page.value<
    { kinds: ("chart" | "table" | "print")[]; text: string; failed: boolean }
  >(
    `(() => {
      const all = ${NOTEBOOK}.widgets[${i}].outputArea.model.toJSON();
      const kindOf = (one) => one.output_type === "stream" ? "print"
        : one.data?.["application/vnd.vegalite.v5+json"] ? "chart" : "table";
      return {
        kinds: all.map(kindOf),
        text: all.map((one) => [one.text ?? one.evalue ?? ""].flat().join("")).join("").trim(),
        failed: all.some((one) => one.output_type === "error"),
      };
    })()`,
  );
}

/** Walks through a notebook; returns faults. */
async function walk(
  page: Page,
  lab: JupyterLab,
  { name, passed, minutes, answers }: Walk,
  say: (line: string) => void,
): Promise<string[]> {
  const faults: string[] = [];
  let [begun, computing] = [performance.now(), 0];
  const timed = async <T>(act: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const made = await act();
    computing += (performance.now() - from) / 1000;
    return made;
  };
  const end = (what: string, planned: number) => {
    const taken = (performance.now() - begun) / 60_000;
    say(
      `${name}, ${what}: ${taken.toFixed(1)} of ${planned} minutes, ${
        computing.toFixed(0)
      } s of it for the machine`,
    );
    if (taken > planned) faults.push(`${name}, ${what}: longer than planned`);
    [begun, computing] = [performance.now(), 0];
  };
  await timed(() => openNotebook(page, lab, name));
  const cells = await page.value<{ type: string; text: string }[]>(
    `${NOTEBOOK}.widgets.map(({ model }) => ({ type: model.type, text: model.sharedModel.getSource() }))`,
  );
  const exercise = cells.findLastIndex(({ type }) => type === "code");
  let heading = "";
  for (const [i, { type, text }] of cells.entries()) {
    heading = [...text.matchAll(/^#+ (.*)/gm)].at(-1)?.[1] ?? heading;
    if (heading === "Now you" && type === "markdown" && i < exercise) {
      end("up to its exercise", minutes[0]);
    }
    const isPassed = passed.test(heading);
    if (type === "markdown") {
      if (!isPassed) await wait(countSeconds(text));
      continue;
    }
    if (!isPassed) await wait(Math.min(PACE.code, countSeconds(text)));
    const { kinds, failed } = await timed(() => runCell(page, i));
    if (failed) faults.push(`${name}: cell ${i + 1} fails`);
    if (!isPassed) { for (const kind of kinds) await wait(PACE[kind]); }
    if (i !== exercise) continue;
    for (const [from, to, seconds, wanted] of answers) {
      await wait(seconds);
      await page.value(`(() => {
        const { sharedModel } = ${NOTEBOOK}.widgets[${i}].model;
        sharedModel.setSource(sharedModel.getSource().replace(${JSON.stringify(from)}, ${
        JSON.stringify(to)
      }));
        return true;
      })()`);
      const said = await timed(() => runCell(page, i));
      if (!wanted.test(said.text)) faults.push(`${name}, ${to}: it says ${said.text}`);
    }
  }
  end("its exercise, answered wrong and right", minutes[1]);
  return faults;
}

/** Walks through both notebooks at the pace of a person; needs Chromium, and JupyterLab among the peers. */
export async function lesson(
  rounds: number,
  say: (line: string) => void,
  advance: (by?: number) => void,
): Promise<readonly string[]> {
  const why = CHROMIUM ? whyWithout("jupyterlab") : "there is no Chromium";
  if (why) return [why];
  await using copies = await NotebookCopies.make();
  await using lab = await JupyterLab.start(copies);
  const browser = await Browser.start();
  try {
    const faults: string[] = [];
    for (let round = 0; round < rounds; round++, advance()) {
      for (const one of walks) faults.push(...await walk(await browser.page(), lab, one, say));
    }
    return faults;
  } finally {
    await browser.close();
  }
}

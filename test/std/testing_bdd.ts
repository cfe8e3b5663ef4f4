/**
 * `describe`, `it` and hooks of the shape of `@std/testing/bdd`, which no npm build contains: one
 * `Deno.test` for each outermost `describe`, one step for each `it`, so the leak sanitizers of `deno test` see every
 * resource. (Over `node:test` they do not.)
 *
 * @module
 */
import { Script } from "node:vm";

type Body = (t: Deno.TestContext) => void | Promise<void>;
/** Not asynchronous: a group exists as soon as it is defined. */
type Definition = () => void | undefined;
type Hook = () => void | Promise<void>;

interface Suite {
  name: string;
  ignore: boolean;
  /** Place of the call. */
  place: Place;
  before: Hook[];
  after: Hook[];
  beforeEach: Hook[];
  afterEach: Hook[];
  children: (Case | Suite)[];
}

interface Case {
  name: string;
  ignore: boolean;
  place: Place;
  body: Body;
}

/** A place in a file of tests, as stacks name it. */
type Place = readonly [file: string, line: number, column: number];

/** Finds the first place of a stack that is not in this file. */
function findPlace(stack = new Error().stack!): Place {
  for (const [, file, line, column] of stack.matchAll(/(file:\/\/\S+?):(\d+):(\d+)/g)) {
    if (file !== import.meta.url) return [file, Number(line), Number(column)];
  }
  return [import.meta.url, 1, 1];
}

/** A column beyond the end of any line. */
const LINE_END = 10_000;

/**
 * Runs a step that is reported at the place of its `describe` or `it`. The runtime reports the place that calls
 * `step()`, so a script of that name and line calls it. The line must be the one in the compiled file, whose lines
 * differ, so it is found by what the runtime reports.
 */
function runStep(t: Deno.TestContext, [filename, line]: Place, step: Deno.TestStepDefinition) {
  const run = (code: string, lineOffset: number) =>
    new Script(code, { filename, lineOffset, columnOffset: LINE_END }).runInThisContext();
  let [low, high] = [0, 2 * line];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (findPlace(run("new Error().stack", middle))[1] < line) low = middle + 1;
    else high = middle;
  }
  return run("(t, step) => t.step(step)", low)(t, step);
}

let current: Suite | undefined;

function suite(name: string, ignore: boolean, define: Definition): void {
  const group: Suite = {
    name,
    ignore,
    place: findPlace(),
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
    children: [],
  };
  const parent = current;
  current = group;
  try {
    define();
  } finally {
    current = parent;
  }
  if (parent) parent.children.push(group);
  else register(group, (t) => runSuite(t, group, [], []));
}

/** Registers an outermost group or test, which is reported at its place. */
function register({ name, ignore, place }: Suite | Case, body: Body): void {
  const fn = (t: Deno.TestContext) => body(t);
  Object.assign(fn, { [Symbol.for("Deno.test.location")]: place.join(":") });
  Deno.test({ name, ignore, fn });
}

async function runSuite(
  t: Deno.TestContext,
  group: Suite,
  outerBefore: Hook[],
  outerAfter: Hook[],
): Promise<void> {
  const before = [...outerBefore, ...group.beforeEach];
  const after = [...group.afterEach, ...outerAfter];
  try {
    for (const hook of group.before) await hook();
    for (const child of group.children) {
      await runStep(t, child.place, {
        name: child.name,
        ignore: child.ignore,
        fn: (step) =>
          "body" in child
            ? runCase(step, child, before, after)
            : runSuite(step, child, before, after),
      });
    }
  } finally {
    for (const hook of group.after) await hook();
  }
}

async function runCase(t: Deno.TestContext, testCase: Case, before: Hook[], after: Hook[]) {
  for (const hook of before) await hook();
  try {
    await testCase.body(t);
  } finally {
    for (const hook of after) await hook();
  }
}

function one(name: string, ignore: boolean, body: Body): void {
  const testCase: Case = { name, ignore, place: findPlace(), body };
  if (current) current.children.push(testCase);
  else register(testCase, body);
}

function inSuite(hook: string): Suite {
  if (!current) throw new Error(`Cannot call ${hook}: it stands outside of describe`);
  return current;
}

/** A group of tests; with `ignore`, the whole group is skipped, and the report says so. */
export const describe: {
  (name: string, define: Definition): void;
  ignore(name: string, define: Definition): void;
} = Object.assign((name: string, define: Definition) => suite(name, false, define), {
  ignore: (name: string, define: Definition) => suite(name, true, define),
});

/** A test; with `ignore`, it is skipped, and the report says so. */
export const it: {
  (name: string, body: Body): void;
  ignore(name: string, body: Body): void;
} = Object.assign((name: string, body: Body) => one(name, false, body), {
  ignore: (name: string, body: Body) => one(name, true, body),
});

/** Runs once before the tests of the group. */
export function beforeAll(hook: Hook): void {
  inSuite("beforeAll").before.push(hook);
}

/** Runs once after the tests of the group, even if one failed. */
export function afterAll(hook: Hook): void {
  inSuite("afterAll").after.push(hook);
}

/** Runs before each test of the group and of the groups inside it. */
export function beforeEach(hook: Hook): void {
  inSuite("beforeEach").beforeEach.push(hook);
}

/** Runs after each test of the group and of the groups inside it, even if it failed. */
export function afterEach(hook: Hook): void {
  inSuite("afterEach").afterEach.push(hook);
}

/**
 * `describe`, `it` and hooks of the shape of `@std/testing/bdd`, which no npm build holds: one
 * `Deno.test` for each outermost `describe`, one step for each `it`, so that the leak sanitizers
 * of `deno test` see every resource. (Over `node:test` they do not.)
 *
 * @module
 */

type Body = (t: Deno.TestContext) => void | Promise<void>;
/** Not asynchronous: a group is there when it has been defined. */
type Definition = () => void | undefined;
type Hook = () => void | Promise<void>;

interface Suite {
  name: string;
  ignore: boolean;
  before: Hook[];
  after: Hook[];
  beforeEach: Hook[];
  afterEach: Hook[];
  children: (Case | Suite)[];
}

interface Case {
  name: string;
  ignore: boolean;
  body: Body;
}

let current: Suite | undefined;

function suite(name: string, ignore: boolean, define: Definition): void {
  const own: Suite = {
    name,
    ignore,
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
    children: [],
  };
  const parent = current;
  current = own;
  try {
    define();
  } finally {
    current = parent;
  }
  if (parent) parent.children.push(own);
  else Deno.test({ name, ignore, fn: (t) => runSuite(t, own, [], []) });
}

async function runSuite(
  t: Deno.TestContext,
  own: Suite,
  outerBefore: Hook[],
  outerAfter: Hook[],
): Promise<void> {
  const before = [...outerBefore, ...own.beforeEach];
  const after = [...own.afterEach, ...outerAfter];
  try {
    for (const hook of own.before) await hook();
    for (const child of own.children) {
      await t.step({
        name: child.name,
        ignore: child.ignore,
        fn: (step) =>
          "body" in child
            ? runCase(step, child, before, after)
            : runSuite(step, child, before, after),
      });
    }
  } finally {
    for (const hook of own.after) await hook();
  }
}

async function runCase(t: Deno.TestContext, own: Case, before: Hook[], after: Hook[]) {
  for (const hook of before) await hook();
  try {
    await own.body(t);
  } finally {
    for (const hook of after) await hook();
  }
}

function one(name: string, ignore: boolean, body: Body): void {
  if (current) current.children.push({ name, ignore, body });
  else Deno.test({ name, ignore, fn: body });
}

function inSuite(hook: string): Suite {
  if (!current) throw new Error(`Cannot call ${hook}: it stands outside of describe`);
  return current;
}

/** A group of tests; its `ignore` leaves the whole group out, and the report says so. */
export const describe: {
  (name: string, define: Definition): void;
  ignore(name: string, define: Definition): void;
} = Object.assign((name: string, define: Definition) => suite(name, false, define), {
  ignore: (name: string, define: Definition) => suite(name, true, define),
});

/** A test; its `ignore` leaves it out, and the report says so. */
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

/** Runs once after the tests of the group, also when one failed. */
export function afterAll(hook: Hook): void {
  inSuite("afterAll").after.push(hook);
}

/** Runs before each test of the group and of the groups inside it. */
export function beforeEach(hook: Hook): void {
  inSuite("beforeEach").beforeEach.push(hook);
}

/** Runs after each test of the group and of the groups inside it, also when it failed. */
export function afterEach(hook: Hook): void {
  inSuite("afterEach").afterEach.push(hook);
}

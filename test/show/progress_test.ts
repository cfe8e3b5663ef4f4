/**
 * Progress of work that takes longer than a second. No test sleeps: bars get a clock that the test sets.
 *
 * @module
 */
import { measureText } from "../../src/show/text/plain_text.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  buildBar,
  detectTarget,
  formatProgress,
  type ProgressState,
  type ProgressTarget,
  renderProgress,
  type Screen,
  showInNotebook,
  showInTerminal,
  startProgress,
  type Surroundings,
} from "../../src/show/progress.ts";

/** A target in memory: each state as a line, and `(cleared)` when it was removed. */
class Memory implements ProgressTarget {
  readonly lines: string[] = [];
  show(state: ProgressState): void {
    this.lines.push(formatProgress(state, 200));
  }
  clear(): void {
    this.lines.push("(cleared)");
  }
}

interface Trial {
  bar: ReturnType<typeof buildBar>;
  lines: string[];
  /** Sets the clock, in ms since the start, and lets the timer tick. */
  at(time: number): void;
}

function trial(label: string, options: { total?: number; unit?: string } = {}): Trial {
  let now = 5000;
  const to = new Memory();
  const { total, unit } = options;
  const bar = buildBar(label, { total, unit, to }, () => now);
  const at = (time: number) => {
    now = 5000 + time;
    bar.tick();
  };
  return { bar, lines: to.lines, at };
}

const ERASE = "\x1b[K"; // to the end of the line

/** A terminal in memory, with the visible text of its last line. */
function terminal(columns = 80): Screen & { written: string[]; seen(): string } {
  const written: string[] = [];
  return {
    written,
    write: (text) => void written.push(text),
    columns: () => columns,
    seen: () => written.join("").replace(/^.*\r/s, "").replaceAll(ERASE, ""),
  };
}

const state: ProgressState = {
  label: "Turbines",
  unit: "turbines",
  done: 3,
  total: 12,
  seconds: 7,
  note: "",
};

describe("a progress bar", () => {
  it("shows nothing in the first second, and nothing at all for work that ends by then", () => {
    const { bar, lines, at } = trial("Turbines", { total: 2 });
    bar.advance();
    at(999);
    bar.say("nearly");
    bar.total(3);
    bar.end();
    assertEquals(lines, []);
  });

  it("shows label, bar, done of total, seconds and note from then on", () => {
    const { bar, lines, at } = trial("Turbines", { total: 12, unit: "turbines" });
    bar.advance();
    bar.advance(2);
    bar.say("T3");
    at(1000);
    assertEquals(lines, ["Turbines [######------------------] 3 of 12 turbines, 1 s, T3"]);
  });

  it("updates at most ten times a second, even if it advances more often", () => {
    const { bar, lines, at } = trial("Turbines", { total: 100_000 });
    for (let time = 0; time < 3000; time++) {
      at(time);
      bar.advance();
      bar.say(`${time}`);
    }
    assertEquals(lines.length, 20);
  });

  it("updates in work that leaves no time for a timer", () => {
    let now = 0;
    const to = new Memory();
    const bar = buildBar("Sync", { total: 3, to }, () => now);
    for (now = 1000; now <= 3000; now += 1000) bar.advance();
    assertEquals(to.lines.length, 3);
    bar.end();
  });

  it("removes itself at the end, once, and shows nothing afterwards", () => {
    const { bar, lines, at } = trial("Turbines");
    at(1500);
    bar.end();
    bar.end();
    at(5000);
    bar.advance();
    bar.say("late");
    assertEquals(lines, ["Turbines 1 s", "(cleared)"]);
  });

  it("removes itself at the end of a using block", () => {
    const { bar, lines, at } = trial("Turbines");
    {
      using _bar = bar;
      at(1500);
    }
    assertEquals(lines.at(-1), "(cleared)");
  });

  it("counts bytes in MB, with a total that becomes known later", () => {
    const { bar, lines, at } = trial("Download", { unit: "bytes" });
    bar.advance(1_260_000);
    at(1000);
    bar.total(9_640_000);
    at(2000);
    assertEquals(lines, [
      "Download 1.3 MB, 1 s",
      "Download [###---------------------] 1.3 of 9.6 MB, 2 s",
    ]);
  });

  it("shows no meaningless figures: nothing done, a total of zero, steps of NaN", () => {
    const { bar, lines, at } = trial("Order 7");
    bar.say("placed");
    at(1000);
    for (const total of [0, -1, NaN, Infinity]) bar.total(total);
    bar.advance(NaN);
    bar.advance(Infinity);
    at(62_000);
    bar.advance(2);
    at(63_000);
    assertEquals(lines, ["Order 7 1 s, placed", "Order 7 62 s, placed", "Order 7 2, 63 s, placed"]);
  });

  it("goes back if a part starts again, but not below zero", () => {
    const { bar, lines, at } = trial("Download", { total: 10 });
    bar.advance(4);
    bar.advance(-3);
    at(1000);
    bar.advance(-30);
    at(2000);
    assertEquals(lines.map((line) => /\d+ of 10/.exec(line)?.[0]), ["1 of 10", "0 of 10"]);
  });

  it("uses the singular for one", () => {
    assertStringIncludes(formatProgress({ ...state, done: 0, total: 1 }, 200), "0 of 1 turbine,");
    assertStringIncludes(
      formatProgress({ ...state, done: 1, total: undefined }, 200),
      " 1 turbine,",
    );
  });

  it("stays full if more is done than the total", () => {
    assertEquals(
      formatProgress({ ...state, done: 15 }, 200),
      "Turbines [########################] 15 of 12 turbines, 7 s",
    );
    assertStringIncludes(renderProgress({ ...state, done: 15 }), 'max="1" value="1.0000"');
  });

  it("F20 shows no control characters of a label, a unit or a status, and at most one line", () => {
    const { bar, lines, at } = trial("La\x1b[2Jbel\r\nB", { unit: "\x07MB\u202e" });
    bar.advance();
    bar.say(`st\x1b]0;title\x07atus\u009b1m\u2028${"x".repeat(1_000_000)}`);
    at(1000);
    assert(!/[\p{C}\u2028]/u.test(lines[0]), JSON.stringify(lines[0]));
    assertStringIncludes(lines[0], "La [2Jbel B 1 MB, 1 s, st ]0;title atus 1m x");
    assertEquals(lines[0].length, 200);
  });

  it("lets the work continue if the terminal is closed", () => {
    let now = 0;
    const gone = () => {
      throw new Deno.errors.BrokenPipe("gone");
    };
    const to = { show: gone, clear: gone };
    const bar = buildBar("A", { to }, () => now);
    now = 2000;
    bar.advance();
    bar.end();
  });
});

describe("startProgress()", () => {
  // Neither test leaves a timer behind; otherwise the sanitizers would fail it.
  it("clears its timer at the end", () => {
    const progress = startProgress("Turbines", { to: new Memory() });
    progress.advance();
    progress.end();
  });

  it("starts no timer if nothing is shown", () => {
    const to = new Memory();
    startProgress("Turbines", { silent: true, to }).advance();
    assertEquals(to.lines, []);
  });

  const script = (body: string) =>
    `import { startProgress } from ${
      JSON.stringify(new URL("../../src/show/progress.ts", import.meta.url).href)
    };\n${body}`;

  async function run(body: string): Promise<{ code: number; stdout: string; stderr: string }> {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--ext=ts", "--no-check", script(body)],
      env: { NO_COLOR: "1", CI: "" },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  it("ticks by itself, and does not keep the process alive", async () => {
    const { code, stdout } = await run(`
      const ticked = Promise.withResolvers();
      const to = { show: ({ label }) => (console.log(label), ticked.resolve()), clear: () => {} };
      startProgress("Alone", { to });
      const alive = setTimeout(() => Deno.exit(3), 20_000);
      await ticked.promise;
      clearTimeout(alive);
      Deno.unrefTimer(setTimeout(() => Deno.exit(4), 5_000)); // runs only if the bar keeps the process alive
    `);
    assertEquals([code, stdout.split("\n")[0]], [0, "Alone"]);
  });

  it("writes nothing if standard error is not a terminal", async () => {
    const { code, stdout, stderr } = await run(`
      using progress = startProgress("Pipe", { total: 2 });
      for (const end = performance.now() + 1200; performance.now() < end;) progress.advance(0.001);
    `);
    assertEquals([code, stdout, stderr], [0, "", ""]);
  });
});

describe("a terminal", () => {
  it("shows a bar in one line, and removes it at the end", () => {
    const screen = terminal();
    const target = showInTerminal(screen);
    target.show({ ...state, note: "a long note" });
    assertEquals(
      screen.seen(),
      "Turbines [######------------------] 3 of 12 turbines, 7 s, a long note",
    );
    target.show(state);
    assertEquals(screen.seen(), "Turbines [######------------------] 3 of 12 turbines, 7 s");
    target.clear();
    assertEquals(screen.seen(), "");
    assertEquals(screen.written.at(-1), `\r${ERASE}`);
    for (const text of screen.written) {
      assert(text.startsWith("\r") && text.endsWith(ERASE));
      assertEquals(/\p{C}/u.exec(text.slice(1, -ERASE.length)), null);
    }
  });

  it("gets no output if nothing changed", () => {
    const screen = terminal();
    const target = showInTerminal(screen);
    target.show(state);
    target.show({ ...state });
    assertEquals(screen.written.length, 1);
  });

  it("shows one bar at a time, the next one after the first has ended", () => {
    const screen = terminal();
    const [first, second] = [showInTerminal(screen), showInTerminal(screen)];
    first.show(state);
    second.show({ ...state, label: "Inner" });
    second.clear();
    assertMatch(screen.seen(), /^Turbines/);
    first.clear();
    second.show({ ...state, label: "Inner" });
    assertMatch(screen.seen(), /^Inner/);
    second.clear();
    assertEquals(screen.seen(), "");
  });

  it("is never filled to its last column, at any width and for any text", () => {
    const labels = ["T", "Turbines", "\u98a8\u529b\u767a\u96fb".repeat(30), "x".repeat(200)];
    for (const label of [...labels, "\u{1f32c}\ufe0f\u{1f300}".repeat(40)]) {
      for (const note of ["", "placed", "\u98a8".repeat(100)]) {
        for (let columns = 0; columns < 130; columns++) {
          const screen = terminal(columns);
          showInTerminal(screen).show({ ...state, label, note });
          assert(measureText(screen.seen()) <= Math.max(0, columns - 1), `${columns}: ${label}`);
        }
      }
    }
  });

  it("counts two columns for a character that takes two", () => {
    assertEquals(["T1 \u00e6", "\u98a8", "\uff21", "\u{1f300}", "\u26a1"].map(measureText), [
      4,
      2,
      2,
      2,
      2,
    ]);
  });

  it("drops the note first, then the bar, then the end of the label", () => {
    const full = { ...state, note: "a note of some length" };
    assertEquals(
      [100, 70, 60, 40, 26, 10].map((columns) => formatProgress(full, columns)),
      [
        "Turbines [######------------------] 3 of 12 turbines, 7 s, a note of some length",
        "Turbines [######------------------] 3 of 12 turbines, 7 s, a note of…",
        "Turbines [######------------------] 3 of 12 turbines, 7 s",
        "Turbines 3 of 12 turbines, 7 s",
        "Tur… 3 of 12 turbines, 7 s",
        "… 3 of 12…",
      ],
    );
  });
});

describe("a notebook", () => {
  interface Message {
    type: string;
    data: Record<string, string>;
    id: string;
  }

  function notebook(): { messages: Message[]; target: ProgressTarget } {
    const messages: Message[] = [];
    const target = showInNotebook((type, content) => {
      const { data, transient } = content as {
        data: Record<string, string>;
        transient: { display_id: string };
      };
      messages.push({ type, data, id: transient.display_id });
    });
    return { messages, target };
  }

  it("shows a bar as one output, updates it and empties it at the end", () => {
    const { messages, target } = notebook();
    target.show(state);
    target.show({ ...state, done: 6 });
    target.clear();
    assertEquals(
      messages.map(({ type }) => type),
      ["display_data", "update_display_data", "update_display_data"],
    );
    assertEquals(new Set(messages.map(({ id }) => id)).size, 1);
    assertEquals(messages.map(({ data }) => data), [
      {
        "text/html":
          '<div><progress max="1" value="0.2500"></progress> Turbines 3 of 12 turbines, 7 s</div>',
        "text/plain": "Turbines [######------------------] 3 of 12 turbines, 7 s",
      },
      {
        "text/html":
          '<div><progress max="1" value="0.5000"></progress> Turbines 6 of 12 turbines, 7 s</div>',
        "text/plain": "Turbines [############------------] 6 of 12 turbines, 7 s",
      },
      { "text/html": "", "text/plain": "" },
    ]);
  });

  it("gets no message if nothing changed, and none to remove a bar that was never shown", () => {
    const { messages, target } = notebook();
    target.clear();
    assertEquals(messages.length, 0);
    target.show(state);
    target.show({ ...state });
    assertEquals(messages.length, 1);
  });

  it("shows several bars at the same time", () => {
    const [first, second] = [notebook(), notebook()];
    first.target.show(state);
    second.target.show(state);
    assert(first.messages[0].id !== second.messages[0].id);
  });

  it("F26 escapes texts from a service or a user", () => {
    const html = renderProgress({
      ...state,
      label: "<b>T</b>",
      unit: "<i>",
      note: `<script>alert("1")</script>&'`,
    });
    assertEquals(
      html,
      '<div><progress max="1" value="0.2500"></progress> &lt;b&gt;T&lt;/b&gt; 3 of 12 &lt;i&gt;, 7 s, ' +
        "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;</div>",
    );
  });

  it("shows an indeterminate bar if the total is unknown", () => {
    assertEquals(
      renderProgress({ ...state, done: 0, total: undefined, note: "placed" }),
      "<div><progress></progress> Turbines 7 s, placed</div>",
    );
  });

  it("skips states while messages wait, but never the end, and survives a closed front end", async () => {
    const sent: { type: string; done: PromiseWithResolvers<void> }[] = [];
    const target = showInNotebook((type) => {
      const done = Promise.withResolvers<void>();
      sent.push({ type, done });
      return done.promise;
    });
    target.show(state);
    target.show({ ...state, done: 4 });
    assertEquals(sent.length, 1);
    sent[0].done.reject(new Error("the front end is gone"));
    for (let i = 0; i < 5; i++) await Promise.resolve();
    target.show({ ...state, done: 5 });
    target.clear();
    assertEquals(sent.length, 3);
    for (const { done } of sent) done.resolve();
  });
});

describe("detectTarget()", () => {
  const surroundings = (changes: Partial<Surroundings>): Surroundings => ({
    variable: () => undefined,
    broadcast: () => undefined,
    screen: () => undefined,
    ...changes,
  });
  const variable = (name: string, value: string) => (asked: string) =>
    asked === name ? value : undefined;
  const told: string[] = [];
  const broadcast = () => () => void told.push("notebook");
  const screen = () => ({ ...terminal(), write: () => void told.push("terminal") });
  const listTold = (changes: Partial<Surroundings>) => {
    told.length = 0;
    detectTarget(surroundings(changes))!.show(state);
    return told;
  };

  it("chooses the notebook, even if its kernel was started from a terminal", () => {
    assertEquals(listTold({ broadcast }), ["notebook"]);
    assertEquals(listTold({ broadcast, screen }), ["notebook"]);
  });

  it("chooses the terminal", () => {
    assertEquals(listTold({ screen }), ["terminal"]);
    const noColor = variable("NO_COLOR", "1"); // affects only colours, which progress does not use
    assertEquals(listTold({ screen, variable: noColor }), ["terminal"]);
  });

  it("chooses neither if no person is watching", () => {
    assertEquals(detectTarget(surroundings({})), undefined);
    const dumb = variable("TERM", "dumb"); // would show the escape sequences
    assertEquals(detectTarget(surroundings({ screen, variable: dumb })), undefined);
    for (const value of ["true", "1", "woodpecker"]) {
      const ci = variable("CI", value);
      assertEquals(detectTarget(surroundings({ screen, broadcast, variable: ci })), undefined);
    }
    for (const value of ["", "0", "false"]) {
      assert(detectTarget(surroundings({ screen, variable: variable("CI", value) })));
    }
  });

  it("requests no permission", async () => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt", // a prompt would be refused, and the request would throw
        "--no-check",
        "data:application/typescript," + encodeURIComponent(
          `import { detectTarget } from ${
            JSON.stringify(
              new URL("../../src/show/progress.ts", import.meta.url).href,
            )
          };\nif (detectTarget()) Deno.exit(4);`,
        ),
      ],
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
  });
});

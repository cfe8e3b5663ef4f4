/**
 * Exit codes, and messages of stopped commands; if it matters, with real processes, stopped at moments that the test
 * chooses.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type ExitCode, exitCodes } from "../../src/cli/command/command.ts";
import { readArguments } from "../../src/cli/command/run_command.ts";
import { report } from "../../src/cli/answers/report.ts";
import { copyExample } from "../sites/_site.ts";
import { callCommand } from "./_command.ts";
import { runTask } from "./_task.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A process, and its output after the end. */
interface Running {
  readonly child: Deno.ChildProcess;
  readonly ended: Promise<{ code: number; out: string; err: string }>;
}

/** Starts Deno with words. */
function start(words: readonly string[], env: Record<string, string> = {}): Running {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...words],
    cwd: ROOT,
    env: { VINDKIT_URL: "", VINDKIT_KEY: "", VINDKIT_DATA: "", NO_COLOR: "1", ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const ended = child.output().then(({ code, stdout, stderr }) => {
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code, out, err };
  });
  return { child, ended };
}

/** Runs a command from program text, which calls `ready()` when it waits to be stopped. */
function startCommand(resume: string, run: string): [Running, Promise<void>] {
  const ready = Promise.withResolvers<void>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    ready.resolve();
    return new Response();
  });
  const program = `
    import { TimeoutError } from "${ROOT}src/api/errors.ts";
    import { runCommand } from "${ROOT}src/cli/command/run_command.ts";
    import { PassingError } from "${ROOT}src/storage/failures/is_passing.ts";
    const ready = () => fetch("http://127.0.0.1:${server.addr.port}").then((it) => it.text());
    const command = {
      forms: [""], options: {}, example: "", resume: ${JSON.stringify(resume)},
      async run({ signal }) { ${run} },
    };
    Deno.exit(await runCommand({ name: "own", purpose: "Waits" }, command, []));`;
  const running = start(["eval", "--ext=ts", "--no-check", program]);
  running.ended.finally(() => server.shutdown());
  return [running, ready.promise];
}

describe("exit codes", () => {
  it("V4: are those of the table in docs/commands.md", async () => {
    const page = await Deno.readTextFile(`${ROOT}docs/commands.md`);
    const codes = [...page.matchAll(/^\| (\d+) +\| /gm)].map(([, code]) => Number(code));
    assertEquals(codes, Object.values(exitCodes));
  });

  const none = "/no/such/folder";
  type Call = readonly [ExitCode, readonly string[]];
  const tasks: readonly Call[] = [
    [0, ["report", "--help"]],
    [1, ["report"]], // without a source of figures
    [78, ["update", "--data", none]],
    [2, ["serve", "--port", "x"]],
    [2, ["soak", "nothing"]],
    [2, ["test", "x".repeat(40)]], // matches no test file
  ];
  const commands: readonly Call[] = [
    [2, ["init"]], // without a terminal
    [1, ["backup", "--data", none, "--to", "x"]],
    [1, ["import", `${none}/site.json`]],
    [2, ["update", "site.json"]],
    [2, ["report", "--sample", "--mont", "2025-12"]],
    [2, ["report", "--sample", "--month", "2025-13"]],
    [1, ["check", "--data", none]],
    [2, ["check", "--sample", "--data", none]],
    [2, ["check", "--sample", ","]],
    [2, ["check", "--sample", "--question", "quality"]],
    [2, ["backup"]],
    [2, ["import"]],
    [2, ["licence", "show"]],
    [2, ["serve", "--port", ""]],
    [2, ["report", "--made-at", "x"]],
    [2, ["check", "--year", "24"]],
    [2, ["notebooks", "-p", "x"]],
  ];
  for (const [run, calls] of [[runTask, tasks], [callCommand, commands]] as const) {
    for (const [code, words] of calls) {
      it(`V4: ${words.slice(0, 4).join(" ").slice(0, 50)} ends with ${code}`, async () => {
        const ended = await run(...words);
        assertEquals([ended.code, ended.error === ""], [code, code === 0], ended.error);
        assertEquals(ended.error.includes("\n\nUsage:\n"), code === 2);
      });
    }
  }
});

describe("a stopped command", () => {
  let folder: string;
  let service: Deno.HttpServer<Deno.NetAddr>;
  let readiness = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await copyExample(folder);
    service = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async () => {
      readiness.resolve();
      await end.promise;
      return new Response();
    });
  });
  afterAll(async () => {
    end.resolve();
    await service.shutdown();
    await Deno.remove(folder, { recursive: true });
  });

  for (const [signal, sender] of [["SIGINT", "Ctrl-C"], ["SIGTERM", "SIGTERM"]] as const) {
    it(`M10: ends at ${signal} with ${exitCodes[signal]}, and says how to resume`, async () => {
      readiness = Promise.withResolvers();
      const env = { VINDKIT_URL: `http://127.0.0.1:${service.addr.port}`, VINDKIT_KEY: "key" };
      const { child, ended } = start(["task", "--quiet", "report"], env);
      await readiness.promise;
      child.kill(signal);
      const { code, out, err } = await ended;
      assertEquals([code, out], [exitCodes[signal], ""]);
      assertEquals(
        err,
        `Stopped by ${sender}. All files written so far are complete; index.html comes last. ` +
          "Run the same command to write all of them again.\n",
      );
    });
  }

  it("M10: report writes no further file after a stop", async () => {
    const to = `${folder}/report`;
    const stop = new AbortController();
    const { mkdir } = Deno;
    Deno.mkdir = async (...given) => {
      await mkdir(...given);
      if (String(given[0]).startsWith(to)) stop.abort(new Error("Stopped"));
    };
    try {
      const args = readArguments(["--sample", "--to", to, "--turbines", "T1"], report);
      if (args === "help") throw new Error("no help was asked for");
      const { signal } = stop;
      await assertRejects(() => report.run({ ...args, signal }), Error, "Stopped");
    } finally {
      Deno.mkdir = mkdir;
    }
    assertEquals([...Deno.readDirSync(to)].filter(({ isFile }) => isFile), []);
  });

  it("M10: check writes no JSON after a stop, and says how to start again", async () => {
    readiness = Promise.withResolvers();
    const file = `${folder}/check.json`;
    const env = { VINDKIT_URL: `http://127.0.0.1:${service.addr.port}`, VINDKIT_KEY: "key" };
    const { child, ended } = start(["task", "--quiet", "check", "T1", "--json", file], env);
    await readiness.promise;
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    assertEquals([code, out], [exitCodes.SIGINT, ""]);
    assertEquals(
      err,
      "Stopped by Ctrl-C. Your data are unchanged. Run the same command to start again.\n",
    );
    await assertRejects(() => Deno.stat(file), Deno.errors.NotFound);
  });

  it("M10: says after a timeout how to resume, as after a stop", async () => {
    const [{ ended }] = startCommand(
      "The same command begins again.",
      'throw new TimeoutError("Cannot wait any longer");',
    );
    const { code, err } = await ended;
    assertEquals([code, err], [1, "Cannot wait any longer. The same command begins again.\n"]);
  });

  it("R5: ends with the code for a retry if shared resources are away, such as the workers of an import", async () => {
    const [{ ended }] = startCommand(
      "The same command begins again.",
      'throw new PassingError("No worker works");',
    );
    const { code, err } = await ended;
    assertEquals([code, err], [exitCodes.tryAgain, "No worker works\n"]);
  });

  it("M10: keeps the message of the work about its end, such as an order that stays placed", async () => {
    const [{ child, ended }, ready] = startCommand(
      "The same command begins again.",
      `await new Promise((resolve) => { signal.addEventListener("abort", resolve); ready(); });
       throw new Error("Order 7 stays placed");`,
    );
    await ready;
    child.kill("SIGINT");
    const { code, err } = await ended;
    assertEquals(
      [code, err],
      [130, "Stopped by Ctrl-C. Order 7 stays placed. The same command begins again.\n"],
    );
  });

  it("M10: ends at a second signal if the work does not end by itself", async () => {
    const [{ child, ended }, ready] = startCommand(
      "The same command begins again.",
      "setInterval(() => {}, 1e6); await ready(); await new Promise(() => {});",
    );
    await ready;
    const again = setInterval(() => child.kill("SIGINT"), 100);
    const { code, err } = await ended;
    clearInterval(again);
    assertEquals(
      [code, err],
      [130, "Stopped by Ctrl-C at once. The same command begins again.\n"],
    );
  });

  // A site with so many turbines that reading their files takes seconds on any machine.
  const onLinux = Deno.build.os === "linux" ? it : it.ignore;
  onLinux("M10: an import shows its progress on a terminal, and stores nothing", async () => {
    const [site, many] = [`${folder}/site.json`, `${folder}/many.json`];
    const declared = JSON.parse(await Deno.readTextFile(site));
    const turbines = Array.from(
      { length: 500 },
      (_, i) => ({ ...declared.turbines[0], id: `E${i}` }),
    );
    await Deno.writeTextFile(many, JSON.stringify({ ...declared, turbines }));
    const words = (file: string) => `import ${file} --data ${folder}/data`;
    const child = new Deno.Command("script", {
      args: ["-qec", `exec ${Deno.execPath()} task --quiet ${words(many)}`, "/dev/null"],
      cwd: ROOT,
      env: { NO_COLOR: "1", TERM: "xterm", CI: "" },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let screen = "";
    const readUntil = async (text: string | RegExp) => {
      for (let part; screen.search(text) === -1 && !(part = await reader.read()).done;) {
        screen += part.value;
      }
    };
    await readUntil(/\rReading files \d+ s, \w+\.csv/); // the file depends on the machine
    const terminal = child.stdin.getWriter();
    await terminal.write(new Uint8Array([3])); // Ctrl-C
    await readUntil("import the site.");
    await terminal.close();
    await readUntil("never");
    assertEquals((await child.status).code, 130);
    assertStringIncludes(
      screen,
      "Stopped by Ctrl-C. Stored data are unchanged. Run the same command to import the site.\r\n",
    );
    const { code, out, error } = await callCommand(...words(site).split(" "));
    assertEquals([code, error], [0, ""]);
    assertMatch(out, /^Serve the data with: /m); // the folder was empty before
    assert(!/[0-9a-f]{64}/.test(out), "R10: no key is printed that nobody asked for");
  });
});

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import project from "../../deno.json" with { type: "json" };

const page = await Deno.readTextFile(new URL("../../docs/security.md", import.meta.url));

/** The texts in code of a cell of a table. */
function readCode(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);
}

type Permissions = Readonly<Record<string, boolean | readonly string[]>>;
const sets: Readonly<Record<string, Permissions>> = project.permissions;

/** Permissions of a set of deno.json, as flags without "--allow-". */
function listSet(name: string): string[] {
  return Object.entries(sets[name]).map(([kind, value]) =>
    typeof value === "boolean" ? kind : `${kind}=${value.join()}`
  );
}

/** Permissions of the tasks, as deno.json gives them: by a set, or by flags. */
const granted = Object.entries(project.tasks).map(([name, { command }]) => {
  const words = command.split(" ");
  const flags = words.filter((word) => word.startsWith("--allow-"))
    .map((flag) => flag.slice("--allow-".length));
  const used = [...command.matchAll(/-P=(\w+)/g)].map(([, set]) => set);
  return [name, [...flags, ...used.flatMap(listSet)].sort()] as const;
});

describe("H12 the permissions of the tasks", () => {
  it("F61 are those that docs/security.md lists", () => {
    const rows = page.split("| tasks ")[1].split("\n\n")[0].split("\n").slice(2);
    const listed = rows.flatMap((row) => {
      const [, tasks, permissions] = row.split("|");
      return readCode(tasks).map((name) => [name, readCode(permissions).sort()] as const);
    });
    assertEquals(Object.fromEntries(listed), Object.fromEntries(granted));
  });

  it("W13: are no wall: a task is a line, and no set is without one", () => {
    const commands = Object.values(project.tasks).map(({ command }) => command);
    assertEquals(commands.filter((command) => command.length > 80), []);
    const unused = Object.keys(sets).filter((name) =>
      !commands.some((command) => command.includes(` -q -P=${name} `))
    );
    assertEquals(unused, [], "-q: Deno warns at each call that sets are new");
  });

  it("name the variables and hosts where figures of users are involved", () => {
    const measuring = ["bench", "soak", "validate"];
    for (const [name, flags] of granted) {
      assert(!flags.includes("all"), name);
      assert(measuring.includes(name) || !flags.includes("env"), `${name} reads every variable`);
      const reaching = [
        "check",
        "report",
        "jobs",
        "migrate",
        "shared",
        "work",
      ];
      assert(reaching.includes(name) || !flags.includes("net"), `${name} reaches every host`);
    }
  });

  it("are explained, each that has no list", () => {
    const explained = readCode(page.split("| why not less")[1].split("\n\n")[0]);
    for (const flag of granted.flatMap(([, flags]) => flags)) {
      assert(explained.includes(flag.split("=")[0]), flag);
    }
  });
});

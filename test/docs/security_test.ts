import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import project from "../../deno.json" with { type: "json" };

const page = await Deno.readTextFile(new URL("../../docs/security.md", import.meta.url));

/** The texts in code of a cell of a table. */
function readCode(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);
}

/** Permissions of the tasks that run a program of ours, as deno.json gives them. */
const granted = Object.entries(project.tasks).flatMap(([name, { command }]) => {
  if (command.includes("&&")) return []; // made of other tasks and tools
  const flags = command.split(" ").filter((word) => word.startsWith("--allow-"));
  return [[name, flags.map((flag) => flag.slice("--allow-".length)).sort()] as const];
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

  it("name the variables and hosts where figures of users are involved", () => {
    const measuring = ["bench", "soak", "validate"];
    for (const [name, flags] of granted) {
      assert(!flags.includes("all"), name);
      assert(measuring.includes(name) || !flags.includes("env"), `${name} reads every variable`);
      const reaching = [
        "report",
        "fleet-summary",
        "long-term",
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

import project from "../../../deno.json" with { type: "json" };

/** Name and version of this library, as `--version` prints them. */
export const VERSION: string = `${project.name.slice(1).split("/")[0]} ${project.version}`;

/** How a command is started: a checkout has a task for each, a package only this program. */
export const PROGRAM: string = "tasks" in project ? "deno task" : "vindkit";

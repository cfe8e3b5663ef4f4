/**
 * What each room below `src/` may cost in tokens of TypeScript. Comments cost nothing, and code on one long line costs
 * as much as on two. `deno task checks` prints the table. This file sets each ceiling to the code as it is:
 *
 *     deno run -q -P=checks test/architecture/_budgets.ts --write
 *
 * @module
 */
import ts from "typescript";

/** Most tokens of each room. They only fall: to add to one room, take from another in the same commit. */
export const ceilings: Readonly<Record<string, number>> = {
  analysis: 114872,
  api: 17317,
  cli: 42943,
  client: 43856,
  disk: 2990,
  era5: 16333,
  frames: 86647,
  machines: 20520,
  notebook: 24810,
  plots: 60507,
  report: 33609,
  sample: 7222,
  screening: 19611,
  service: 37324,
  show: 14006,
  sites: 60584,
  stats: 5574,
  std: 691,
  storage: 19449,
  testing: 281,
  time: 8654,
  windindex: 30061,
};

/** Most tokens of all rooms. `--write` lowers it; raise it by hand, and only by what an issue allows. */
export const MAX_TOKENS = 667861;

/** What this edition is to reach. */
export const goal = { tokens: 560_000, files: 650, boxes: 15 };

/** What a room has. */
export interface RoomSize {
  readonly room: string;
  readonly tokens: number;
  readonly files: number;
  /** Boxes, files and folders, of its fullest folder. */
  readonly boxes: number;
}

const { SyntaxKind: Kind } = ts;

/** What a slash divides if it comes before it. After all else the slash begins a regular expression. */
const operandEnds = new Set<ts.SyntaxKind>([
  ...[Kind.Identifier, Kind.PrivateIdentifier, Kind.NumericLiteral, Kind.BigIntLiteral],
  ...[Kind.StringLiteral, Kind.NoSubstitutionTemplateLiteral, Kind.TemplateTail],
  ...[Kind.CloseParenToken, Kind.CloseBracketToken, Kind.CloseBraceToken],
  ...[Kind.PlusPlusToken, Kind.MinusMinusToken],
  ...[Kind.ThisKeyword, Kind.SuperKeyword, Kind.NullKeyword, Kind.TrueKeyword, Kind.FalseKeyword],
]);

/** Whether a slash divides after a token: words such as `from` and `number` may be names. */
function endsOperand(token: ts.SyntaxKind): boolean {
  return token > Kind.LastReservedWord || operandEnds.has(token);
}

/** Counts the tokens of a module, without comments. */
export function countTokens(source: string): number {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, undefined, source);
  const braces: number[] = []; // open in each template, innermost last
  let tokens = 0;
  let previous = Kind.SemicolonToken;
  for (let kind = scanner.scan(); kind !== Kind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === Kind.SlashToken || kind === Kind.SlashEqualsToken) {
      if (!endsOperand(previous)) kind = scanner.reScanSlashToken();
    } else if (kind === Kind.TemplateHead) {
      braces.push(0);
    } else if (kind === Kind.OpenBraceToken && braces.length > 0) {
      braces[braces.length - 1]++;
    } else if (kind === Kind.CloseBraceToken && braces.length > 0) {
      if (braces.at(-1)! > 0) braces[braces.length - 1]--;
      else {
        kind = scanner.reScanTemplateToken(false);
        if (kind === Kind.TemplateTail) braces.pop();
      }
    }
    tokens++;
    // After an operand "!" asserts that it is there, and the operand goes on.
    if (kind !== Kind.ExclamationToken || !endsOperand(previous)) previous = kind;
  }
  return tokens;
}

const src = new URL("../../src/", import.meta.url);

function measureFolder(folder: URL): Omit<RoomSize, "room"> {
  const entries = [...Deno.readDirSync(folder)];
  const size = { tokens: 0, files: 0, boxes: entries.length };
  for (const { name, isDirectory } of entries) {
    if (isDirectory) {
      const inner = measureFolder(new URL(`${name}/`, folder));
      size.tokens += inner.tokens;
      size.files += inner.files;
      size.boxes = Math.max(size.boxes, inner.boxes);
    } else if (name.endsWith(".ts")) {
      size.tokens += countTokens(Deno.readTextFileSync(new URL(name, folder)));
      size.files++;
    }
  }
  return size;
}

/** Measures all rooms. */
export function measureRooms(): RoomSize[] {
  return [...Deno.readDirSync(src)].map(({ name }) => name).sort()
    .map((room) => ({ room, ...measureFolder(new URL(`${room}/`, src)) }));
}

/** Adds what all rooms have of one measure. */
export function sumOf(sizes: readonly RoomSize[], measure: "tokens" | "files"): number {
  return sizes.reduce((sum, size) => sum + size[measure], 0);
}

/** Writes the rooms as a table, with ceilings and, in brackets, what the edition is to reach. */
export function formatRooms(sizes: readonly RoomSize[]): string {
  const rows = sizes.map(({ room, tokens, files, boxes }) => [
    ...[room, tokens, ceilings[room] ?? "-", files],
    boxes > goal.boxes ? `${boxes} (${goal.boxes})` : boxes,
  ]);
  const [tokens, files] = [sumOf(sizes, "tokens"), sumOf(sizes, "files")];
  rows.push(["sum", `${tokens} (${goal.tokens})`, MAX_TOKENS, `${files} (${goal.files})`, ""]);
  return [["room", "tokens", "ceiling", "files", "boxes"], ...rows]
    .map(([room, ...cells]) =>
      String(room).padEnd(10) + cells.map((cell) => String(cell).padStart(16)).join("")
    ).join("\n");
}

/** Writes the ceilings and the limit of the sum into this file: what each room has. */
function writeCeilings(sizes: readonly RoomSize[]): void {
  const file = new URL(import.meta.url);
  const lines = sizes.map(({ room, tokens }) => `  ${room}: ${tokens},\n`).join("");
  const limit = Math.min(MAX_TOKENS, sumOf(sizes, "tokens"));
  Deno.writeTextFileSync(
    file,
    Deno.readTextFileSync(file)
      .replace(/^( {2}\w+: \d+,\n)+/m, lines)
      .replace(/(?<=^export const MAX_TOKENS = )[\d_]+/m, String(limit)),
  );
}

if (import.meta.main) {
  const sizes = measureRooms();
  if (Deno.args.includes("--write")) writeCeilings(sizes);
  else console.log(formatRooms(sizes));
}

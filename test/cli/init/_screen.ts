/**
 * Renders the output of a program as a terminal shows it, all lines from the first; overwritten text is gone.
 *
 * @param written Text with escape sequences that move the cursor and erase
 */
export function drawScreen(written: string): string {
  const lines: string[][] = [[]];
  let [row, column] = [0, 0];
  const move = (by: number) => {
    row = Math.max(0, row + by);
    while (lines.length <= row) lines.push([]);
  };
  // deno-lint-ignore no-control-regex
  for (const [part, count, letter] of written.matchAll(/\x1b\[[?]?([\d;]*)([A-Za-z])|[^]/gu)) {
    const by = Number(count || 1);
    if (part === "\n") move(1);
    else if (part === "\r") column = 0;
    else if (letter === undefined) lines[row][column++] = part;
    else if (letter === "A") move(-by);
    else if (letter === "B") move(by);
    else if (letter === "C") column += by;
    else if (letter === "D") column = Math.max(0, column - by);
    else if (letter === "G") column = Math.max(0, by - 1);
    else if (letter === "K" || letter === "J") {
      lines[row].length = count === "2" ? 0 : Math.min(lines[row].length, column);
      if (letter === "J") lines.length = row + 1;
    }
  }
  return lines.map((line) => Array.from(line, (one) => one ?? " ").join("").trimEnd()).join("\n");
}

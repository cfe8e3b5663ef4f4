/** Characters of a line that a terminal of usual width shows. */
const WIDTH = 100;

/**
 * Breaks a line between words; a word that is longer stays whole, as a path that is copied.
 *
 * @param line The line; those that follow are indented two characters more
 * @param width Characters of a line
 */
export function wrapLine(line: string, width = WIDTH): string {
  if (line.length <= width) return line;
  const indent = `${/^ */.exec(line)![0]}  `;
  const lines = [""];
  for (const word of line.split(/(?<=\S)(?= )/)) {
    const last = lines[lines.length - 1];
    if (last === "" || last.length + word.length <= width) lines[lines.length - 1] += word;
    else lines.push(indent + word.trimStart());
  }
  return lines.join("\n");
}

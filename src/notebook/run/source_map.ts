/** A position in a text: line and column, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes a segment: base64 digits of 5 bits each, lowest first; the lowest bit of a number is its sign. */
function decodeNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = BASE64.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return numbers;
}

/**
 * Finds the position in the source for a position in the generated text.
 *
 * @param mappings Field `mappings` of a source map of one source (ECMA-426)
 * @param place Position in the generated text
 */
export function findSourcePosition(mappings: string, place: Position): Position | undefined {
  let [line, column] = [0, 0];
  let found: Position | undefined;
  for (const [i, segments] of mappings.split(";").slice(0, place.line).entries()) {
    let generatedColumn = 0;
    for (const segment of segments.split(",").filter((text) => text !== "")) {
      const [generated, _, lines = 0, columns = 0] = decodeNumbers(segment);
      generatedColumn += generated;
      line += lines;
      column += columns;
      const before = i + 1 < place.line || generatedColumn < place.column;
      if (before || found === undefined) found = { line: line + 1, column: column + 1 };
    }
  }
  return found;
}

/**
 * Finds imports in the text of a source file. It first blanks comments and the contents of strings, templates and
 * regular expressions, so examples in doc comments do not count.
 *
 * @module
 */

/** An import. */
export interface Import {
  /** `null` if it is computed. */
  specifier: string | null;
  line: number;
  /** Offset of the specifier in the source, after its quote. */
  offset: number;
  dynamic: boolean;
}

/** Line number of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

const keywordBeforeExpression =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof)$/;

/**
 * Blanks comments and the contents of strings, templates and regular expressions; offsets stay. Throws if one of them
 * does not end, because the parse is wrong then.
 */
export function blanked(source: string): string {
  const out = source.split("");
  const openTemplates: number[] = [];
  let depth = 0;
  let i = 0;
  // The token before a slash decides if it divides or begins a regular expression.
  let valueBefore = false;

  function blankUntil(end: number, what: string): void {
    if (end < 0 || end > source.length) {
      throw new Error(`Cannot read line ${lineAt(source, i)}: its ${what} does not end`);
    }
    for (; i < end; i++) if (out[i] !== "\n") out[i] = " ";
  }
  function endOf(pattern: RegExp, what: string): void {
    pattern.lastIndex = i;
    const match = pattern.exec(source);
    blankUntil(match ? pattern.lastIndex - 1 : -1, what);
    i++;
    valueBefore = true;
  }
  function template(): void {
    endOf(/(?:[^\\`$]|\\[^]|\$(?!\{))*(?:`|\$(?=\{))/y, "template");
    if (source[i - 1] === "$") {
      i++;
      openTemplates.push(depth++);
      valueBefore = false;
    }
  }

  if (source.startsWith("#!")) blankUntil(source.indexOf("\n"), "first line");
  while (i < source.length) {
    const c = source[i];
    if (source.startsWith("//", i)) {
      const end = source.indexOf("\n", i);
      blankUntil(end < 0 ? source.length : end, "comment");
    } else if (source.startsWith("/*", i)) {
      const end = source.indexOf("*/", i + 2);
      blankUntil(end < 0 ? end : end + 2, "comment");
    } else if (c === '"' || c === "'") {
      i++;
      endOf(c === '"' ? /(?:[^"\\\n]|\\[^])*"/y : /(?:[^'\\\n]|\\[^])*'/y, "string");
    } else if (c === "`") {
      i++;
      template();
    } else if (c === "}" && openTemplates.at(-1) === depth - 1) {
      depth = openTemplates.pop()!;
      i++;
      template();
    } else if (c === "/" && !valueBefore) {
      i++;
      endOf(/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y, "regular expression");
    } else if (/[\w$#@\P{ASCII}]/u.test(c)) {
      const [word] = /^[\w$#@\P{ASCII}]+/u.exec(source.slice(i, i + 200))!;
      i += word.length;
      valueBefore = !keywordBeforeExpression.test(word);
    } else {
      if (c === "{") depth++;
      if (c === "}") depth--;
      // `x++ / 2` and `x! / 2` divide.
      const postfix = valueBefore &&
        (c === "!" || source.slice(i, i + 2) === c + c && "+-".includes(c));
      if (postfix && c !== "!") i++;
      if (!/\s/.test(c) && !postfix) valueBefore = ")]}".includes(c);
      i++;
    }
  }
  if (openTemplates.length > 0) throw new Error("Cannot read the end: a template is open");
  return out.join("");
}

/** Every import of a source: static, dynamic, re-export, type, and modules in `new URL()`. */
export function importsOf(source: string): Import[] {
  const code = blanked(source);
  const imports: Import[] = [];
  const pattern = new RegExp(
    String.raw`(?<![\w$.])(?:(?<fixed>from|import|declare\s+module)\s*(?=["'])|` +
      String.raw`import\s*\(\s*|import\.meta\.resolve\s*\(\s*|(?<url>new\s+URL\s*\(\s*)(?=["']))`,
    "g",
  );
  for (const match of code.matchAll(pattern)) {
    const start = match.index + match[0].length;
    const quoted = /^(["'`])( *)\1\s*(?=([),]?))/.exec(code.slice(start));
    const { fixed, url } = match.groups!;
    const dynamic = fixed === undefined;
    const whole = quoted && (!dynamic || quoted[3] !== "");
    let specifier = whole ? source.slice(start + 1, start + 1 + quoted[2].length) : null;
    if (url) {
      // A worker is a module too; code reads other files, and does not import them.
      if (!specifier?.endsWith(".ts") || /^\w+:/.test(specifier)) continue;
      specifier = specifier.replace(/^(?!\.)/, "./");
    }
    imports.push({ specifier, line: lineAt(source, start), offset: start + 1, dynamic });
  }
  return imports;
}

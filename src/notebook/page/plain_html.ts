/** Elements that only format text. */
const ELEMENTS = new Set(
  ("a b br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i ins kbd li " +
    "mark ol p pre s samp small span strong sub summary sup table tbody td tfoot th thead time tr u ul var")
    .split(" "),
);

/** Elements without an end tag. */
const VOID = new Set(["br", "col", "hr"]);

/** Attributes that load nothing and do nothing. */
const ATTRIBUTES = new Set(
  "abbr align aria-hidden aria-label class colspan dir headers lang open role rowspan scope style title"
    .split(" "),
);

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/giy;

/** Parts of a style that could load something, move the element or hide one of these. */
const UNSAFE_STYLE = /url|image|@|\\|expression|position|&/i;

function isHarmless(name: string, value: string): boolean {
  if (name === "href") return /^(https?:|mailto:|#)/i.test(value);
  return ATTRIBUTES.has(name) && !(name === "style" && UNSAFE_STYLE.test(value));
}

/**
 * Whether HTML is plain: known elements, well nested, with attributes that load nothing and do nothing. HTML that is not
 * plain is not cleaned: it is not shown as HTML at all.
 */
export function isPlainHtml(html: string): boolean {
  const open: string[] = [];
  for (let i = html.indexOf("<"); i >= 0; i = html.indexOf("<", i)) {
    TAG.lastIndex = i;
    const match = TAG.exec(html);
    if (!match) return false;
    const [tag, slash, name, attributes] = match;
    const element = name.toLowerCase();
    if (!ELEMENTS.has(element)) return false;
    if (slash) {
      if (attributes !== "" || open.pop() !== element) return false;
    } else {
      for (const [, key, value = ""] of attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)) {
        if (!isHarmless(key.toLowerCase(), value)) return false;
      }
      if (!VOID.has(element)) open.push(element);
    }
    i += tag.length;
  }
  return open.length === 0;
}

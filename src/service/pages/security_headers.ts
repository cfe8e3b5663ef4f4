/** Where a page may load what from: this service and nowhere else. */
const POLICY: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  "base-uri": "'none'",
};

/**
 * Headers that keep a page to itself: nothing of others is loaded, nothing is sent elsewhere, nobody frames it.
 *
 * @param own Rules of the content policy in which a page departs from that
 */
export function buildSecurityHeaders(
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const rules = Object.entries({ ...POLICY, ...own }).map(([name, value]) => `${name} ${value}`);
  return {
    "content-security-policy": rules.join("; "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

/** Sources from which a page may load: this service only. */
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
 * Builds the headers that isolate a page: it loads nothing from other services, sends nothing there, and cannot be framed.
 *
 * @param own Rules of the content policy that differ
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

/** Creates an unguessable name, of as many random bytes: of an order, or the token of an address. */
export function createName(bytes = 24): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

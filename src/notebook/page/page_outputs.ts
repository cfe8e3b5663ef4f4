import { escapeHtml } from "../../show/text/escape.ts";
import { isPlainHtml } from "./plain_html.ts";
import type { MimeBundle, Output } from "../document/outputs.ts";

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function readText(data: MimeBundle, type: string): string | undefined {
  const value = data[type];
  return typeof value === "string" ? value : undefined;
}

function renderPicture(type: string, base64: string, altText: string): string {
  return `<img class="chart" src="data:${type};base64,${base64}" alt="${escapeHtml(altText)}">`;
}

/** Description of a picture: the plain text of its bundle. */
function findAltText(data: MimeBundle): string {
  return readText(data, "text/plain")?.trim() || "picture without a description";
}

/** Renders the richest format of a bundle that the page can show without running or loading anything. */
function renderBundle(data: MimeBundle): string {
  const svg = readText(data, "image/svg+xml");
  if (svg !== undefined) {
    // As a picture of its own nothing in it runs, and its identifiers do not clash with those of other charts.
    const base64 = new TextEncoder().encode(svg).toBase64();
    return renderPicture("image/svg+xml", base64, findAltText(data));
  }
  for (const type of PICTURES) {
    const base64 = readText(data, type)?.replace(/\s/g, "");
    if (base64 && /^[A-Za-z0-9+/=]+$/.test(base64)) {
      return renderPicture(type, base64, findAltText(data));
    }
  }
  const html = readText(data, "text/html");
  if (html !== undefined && isPlainHtml(html)) return `<div class="table">${html}</div>`;
  const plain = readText(data, "text/plain");
  if (plain !== undefined) return `<pre>${escapeHtml(plain)}</pre>`;
  return `<p class="note">An output that only a notebook shows: ${
    escapeHtml(Object.keys(data).join(", "))
  }</p>`;
}

export function renderOutput(output: Output): string {
  switch (output.output_type) {
    case "stream": {
      const kind = output.name === "stderr" ? ` class="error"` : "";
      return `<pre${kind}>${escapeHtml(output.text)}</pre>`;
    }
    case "error":
      return `<pre class="error">${escapeHtml(`${output.ename}: ${output.evalue}`)}</pre>`;
    default:
      return renderBundle(output.data);
  }
}

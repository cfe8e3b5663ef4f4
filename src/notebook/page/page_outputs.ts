import { escapeHtml } from "../../show/text/escape.ts";
import { isPlainHtml } from "./plain_html.ts";
import type { MimeBundle, Output } from "../document/outputs.ts";

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function text(data: MimeBundle, type: string): string | undefined {
  const value = data[type];
  return typeof value === "string" ? value : undefined;
}

function picture(type: string, base64: string, altText: string): string {
  return `<img class="chart" src="data:${type};base64,${base64}" alt="${escapeHtml(altText)}">`;
}

/** What a picture shows: its own label, else the text beside it. */
function altTextOf(data: MimeBundle): string {
  return text(data, "text/plain")?.trim() || "picture without a description";
}

/** A bundle as HTML: the richest format that the page can show without running or loading anything. */
function bundleHtml(data: MimeBundle): string {
  const svg = text(data, "image/svg+xml");
  if (svg !== undefined) {
    // As a picture of its own: nothing in it runs, and its names do not meet those of other charts.
    const base64 = new TextEncoder().encode(svg).toBase64();
    return picture("image/svg+xml", base64, altTextOf(data));
  }
  for (const type of PICTURES) {
    const base64 = text(data, type)?.replace(/\s/g, "");
    if (base64 && /^[A-Za-z0-9+/=]+$/.test(base64)) return picture(type, base64, altTextOf(data));
  }
  const html = text(data, "text/html");
  if (html !== undefined && isPlainHtml(html)) return `<div class="table">${html}</div>`;
  const plain = text(data, "text/plain");
  if (plain !== undefined) return `<pre>${escapeHtml(plain)}</pre>`;
  return `<p class="note">An output that only a notebook shows: ${
    escapeHtml(Object.keys(data).join(", "))
  }</p>`;
}

export function outputHtml(output: Output): string {
  switch (output.output_type) {
    case "stream": {
      const kind = output.name === "stderr" ? ` class="error"` : "";
      return `<pre${kind}>${escapeHtml(output.text)}</pre>`;
    }
    case "error":
      return `<pre class="error">${escapeHtml(`${output.ename}: ${output.evalue}`)}</pre>`;
    default:
      return bundleHtml(output.data);
  }
}

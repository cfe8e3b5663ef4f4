/** Serves one file to every request; prints its address. Arguments: path, headers as JSON, pause in ms. */
import { delay } from "@std/async";

const [path, headers, pause] = Deno.args;
const body = await Deno.readFile(path);
const milliseconds = Number(pause);
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
}, async () => {
  if (milliseconds > 0) await delay(milliseconds);
  return new Response(body, { headers: JSON.parse(headers) });
});

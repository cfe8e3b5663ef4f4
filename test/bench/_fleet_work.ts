/** Computes the indices of a fleet with two workers; arguments: numbers of turbines. Prints seconds of each and memory as JSON. */
const workers = [0, 1].map(() =>
  new Worker(new URL("_fleet_worker.ts", import.meta.url), { type: "module" })
);

/** The next message of a worker. */
const answer = (worker: Worker) =>
  new Promise<unknown>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
  });

await Promise.all(workers.map(answer));

async function fleet(turbines: number): Promise<number> {
  const begun = performance.now();
  await Promise.all(workers.map((worker, i) => {
    worker.postMessage([i * turbines / 2, turbines / 2]);
    return answer(worker);
  }));
  return (performance.now() - begun) / 1000;
}

await fleet(10); // warms up the compiler
const seconds: number[] = [];
for (const turbines of Deno.args) seconds.push(await fleet(Number(turbines)));
for (const worker of workers) worker.terminate();
const status = Deno.readTextFileSync("/proc/self/status");
const memory = Number(/VmHWM:\s*(\d+) kB/.exec(status)![1]) * 1024;
console.log(JSON.stringify({ seconds, memory }));

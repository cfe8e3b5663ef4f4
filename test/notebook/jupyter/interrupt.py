"""Interrupts cells of the kernel "Vindkit (Deno)" as a front end does, and prints what came of each as JSON."""

import json
import queue
import sys
import time

from jupyter_client.manager import KernelManager

ORDER = """
import { connect, orderAndWait } from "@vindkit/vindkit";
import { openSample, serve } from "@vindkit/vindkit/service";
const service = await openSample({ folder: %s, trusted: true });
const server = serve({ // no order is ever more than placed
  ...service,
  fetch: (request, info) =>
    request.url.includes("/climate/status/")
      ? Promise.resolve(Response.json("placed"))
      : service.fetch(request, info),
});
const connection = connect({ url: server.url, key: "a-key-of-some-length", home: %s });
"""
WAIT = """
await orderAndWait("era5", {
  latitude: 55.5, longitude: 7.75, from: 2011, to: 2012, connection, timeout: 60_000,
  onStatus: () => console.log("waits"),
});
"""
SLEEP = "await new Promise((resolve) => setTimeout(resolve, 60_000));"


def main(folder):
    manager = KernelManager(kernel_name="vindkit")
    manager.start_kernel(cwd=folder)
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)

    def answer(identifier):
        """The answer to a request: a kernel that starts slowly answers what wait_for_ready asked more than once."""
        while True:
            message = client.get_shell_msg(timeout=20)
            if message["parent_header"].get("msg_id") == identifier:
                return message["content"]

    def run(code):
        """Runs a cell; interrupts it half a second after it has printed something."""
        identifier = client.execute(code)
        begun, waits, stopped, outputs = time.time(), None, None, []
        while time.time() - begun < 120:
            if waits is not None and stopped is None and time.time() - waits > 0.5:
                stopped = time.time()
                manager.interrupt_kernel()
            try:
                message = client.get_iopub_msg(timeout=0.1)
            except queue.Empty:
                continue
            if message["parent_header"].get("msg_id") != identifier:
                continue
            content = message["content"]
            if message["msg_type"] == "stream" and waits is None:
                waits = time.time()
            if message["msg_type"] == "error":
                outputs.append(content["evalue"])
            if message["msg_type"] == "execute_result":
                outputs.append(content["data"]["text/plain"])
            if content.get("execution_state") == "idle":
                reply = answer(identifier)
                return {
                    "status": reply["status"],
                    "reply": reply.get("evalue", ""),
                    "outputs": outputs,
                    "seconds": None if stopped is None else time.time() - stopped,
                }
        return {"status": "never answered"}

    found = {"setup": run(ORDER % (json.dumps(sys.argv[2]), json.dumps(folder)) + "const kept = 41;")}
    for name, code in [
        ("order", WAIT),
        ("aside", WAIT.replace("await ", "void ") + SLEEP),
        ("sleep", "console.log(1);" + SLEEP),
        ("busy", "console.log(1); while (true) {}"),
        ("late", "await 0; console.log(1); while (true) {}"),
    ]:
        found[name] = run(code)
        found[name + " then"] = run("kept + 1")
    manager.interrupt_kernel()  # of a kernel that is idle
    found["idle"] = run("kept + 1")
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    print(json.dumps(found))


main(sys.argv[1])

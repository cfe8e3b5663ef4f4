/**
 * Code that makes a kernel show errors of promises and timers that no code catches: Deno's kernel hides the former, and
 * stops answering after the latter.
 */
export const SHOW_LOST_ERRORS = `{
  const { console } = globalThis;
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    console.error("Error in a promise that is not awaited:", event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    console.error("Error that is not caught:", event.error);
  });
}`;

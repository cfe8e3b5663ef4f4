/**
 * Code that makes a kernel show the errors that no code waits for, of promises and timers: Deno's kernel says nothing of
 * the first, and never answers again after the second.
 */
export const SHOW_LOST_ERRORS = `{
  const { console } = globalThis;
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    console.error("Nobody waited for this error:", event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    console.error("Nobody caught this error:", event.error);
  });
}`;

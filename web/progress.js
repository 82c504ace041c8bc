// Long work: asked for until it is over.

import { mayPass, wasStopped } from "./api.js";
import { h } from "./dom.js";
import { again, trouble } from "./parts.js";

const FAILED_AT_MOST = 6;

/** Polls until `isDone`, with increasing pauses; resolves with the last answer. Errors that may pass are waited out. */
export async function until(ask, isDone, { signal, each: told = () => {} }) {
  for (let [wait, failed] = [500, 0]; ; wait = Math.min(wait * 1.3, 5000)) {
    try {
      const found = await ask();
      failed = 0;
      told(found);
      if (isDone(found)) return found;
    } catch (error) {
      failed += 1;
      if (!mayPass(error) || failed === FAILED_AT_MOST) throw error;
    }
    await pause(wait, signal);
  }
}

/** Shows why a progress bar has stopped. */
export function stopped(place) {
  return (error) => wasStopped(error) || place.append(h("div", {}, trouble(error), again(error)));
}

/** Waits; rejects once the signal is aborted. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(new DOMException("stopped", "AbortError"))), { once: true });
  });
}

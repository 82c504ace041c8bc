// A client of the API of this page's own origin. The key is kept in this tab only, and sent in a header only.

const KEY = "feedward-key";
const AT_ONCE = 4;
// The gateway answers within 30 s. Who does not answer in this time will not.
const PATIENCE_MS = 60_000;

/** A failed or missing answer. `code` is the problem's, or derived from the status. */
export class ApiError extends Error {
  constructor(status, problem, requestId) {
    super(problem.detail || problem.message || `status ${status}`);
    this.status = status;
    this.problem = problem;
    this.code = problem.code || bareCode(status);
    this.requestId = requestId || (problem.instance || "").split(":").pop();
  }
}

// The gateway's own answers have a message and no code.
function bareCode(status) {
  const known = { 0: "no_connection", 401: "unauthorized", 403: "forbidden", 404: "not_found", 429: "throttled" };
  return known[status] ?? (status >= 500 ? "internal_error" : "invalid_input");
}

let afterRefusal = () => {};

/** Calls `then` when the API refuses a request because of its key. */
export function onRefusal(then) {
  afterRefusal = then;
}

export function keyIsKnown() {
  return sessionStorage.getItem(KEY) !== null;
}

/** Stores a key for this tab; null deletes it. */
export function keepKey(key) {
  if (key === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, key);
}

/** The document of a GET. Null and empty values of `query` are left out. */
export function get(path, { query, signal } = {}) {
  const late = AbortSignal.timeout(PATIENCE_MS);
  return asked("GET", path, { query, signal: signal ? AbortSignal.any([signal, late]) : late });
}

/** The document of a POST of JSON. It may be repeated after a lost answer: the API executes it once. */
export function post(path, body, { signal, query } = {}) {
  return asked("POST", path, { body: JSON.stringify(body ?? {}), type: "application/json", signal, query });
}

/** The document of a POST of a file. */
export function postFile(path, body, type, { query, signal } = {}) {
  return asked("POST", path, { body, type, query, signal });
}

export function patch(path, body, { signal } = {}) {
  return asked("PATCH", path, { body: JSON.stringify(body), type: "application/json", signal });
}

export function remove(path, { signal } = {}) {
  return asked("DELETE", path, { signal });
}

/** The body of a GET as a file: {blob, type, name}; or the document of a 202. */
export async function download(path, { query, signal } = {}) {
  const answer = await answered("GET", path, { query, signal });
  if (answer.status === 202) return { job: await documentOf(answer) };
  return { blob: await answer.blob(), type: answer.headers.get("content-type") ?? "" };
}

async function asked(method, path, options) {
  const answer = await answered(method, path, options);
  return answer.status === 204 ? null : documentOf(answer);
}

// Something between the page and the API may answer in its place, with anything.
async function documentOf(answer) {
  const document = await answer.json().catch((error) => {
    if (wasStopped(error)) throw error;
  });
  if (document !== null && typeof document === "object") return document;
  throw new ApiError(answer.status, { code: "unreadable_answer", detail: "the answer is not a document of the API" }, answer.headers.get("apigw-requestid"));
}

async function answered(method, path, { query, body, type, signal }) {
  const headers = { Accept: "application/json" };
  const key = sessionStorage.getItem(KEY);
  if (key) headers.Authorization = `Bearer ${key}`;
  if (type) headers["Content-Type"] = type;
  if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
  const answer = await sent(path + search(query), { method, headers, body, signal });
  if (answer.ok) return answer;
  const error = new ApiError(answer.status, await problemOf(answer), answer.headers.get("apigw-requestid"));
  if (answer.status === 401 || (answer.status === 403 && error.problem.code === undefined)) afterRefusal(error);
  throw error;
}

// One retry after a lost connection: reads change nothing, and a POST repeats its idempotency key.
async function sent(address, options) {
  const { signal } = options;
  try {
    return await fetch(address, options).catch((error) => (signal?.aborted ? Promise.reject(error) : fetch(address, options)));
  } catch (error) {
    if (wasStopped(error)) throw error;
    throw new ApiError(0, { detail: error.name === "TimeoutError" ? "the server has not answered in time" : "the server cannot be reached" });
  }
}

/** Whether the same request may succeed later: without an answer of the API, or if the server is busy or broken. */
export function mayPass(error) {
  return error instanceof ApiError && (error.status < 400 || error.status === 429 || error.status >= 500);
}

async function problemOf(answer) {
  try {
    return await documentOf(answer);
  } catch {
    return {};
  }
}

function search(query) {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(given).toString();
  return text && `?${text}`;
}

/** Calls `work` for each element, 4 at a time. Resolves when all are done; `work` handles its own errors. */
export async function each(things, work) {
  const left = [...things];
  const one = async () => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

export function wasStopped(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

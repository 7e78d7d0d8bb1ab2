// A small relay for senders that can neither sign nor set headers: plain HTML forms, Typeform, Webflow.
// It verifies the sender's own signature where there is one, flattens the submission to a lead and forwards it with a server
// token.
//
//   LEADGATE_URL=https://leads.example.com LEADGATE_TOKEN=ingt_srv_… node relay.mjs
//
// One file, no packages. Runs on Node 20 or newer, and as a worker with `export default { fetch(request, env) }`.

const bodyBytesMax = 131_072;
// Larger than any response of Leadgate.
const responseBytesMax = 16_384;
// Together less than the 30 seconds that Typeform waits for a response.
const attemptsMax = 3;
const attemptMsMax = 4_000;
// Covers Webflow's retries within half an hour; the idempotency key prevents duplicates.
const webflowAgeMsMax = 60 * 60 * 1000;

const relay = {
  /** @param {Request} request @param {Record<string, string | undefined>} env */
  async fetch(request, env) {
    try {
      const take = routes[new URL(request.url).pathname];
      if (take === undefined || request.method !== 'POST') return text(404, 'Not found.');
      const body = await bytesWithin(bodyBytesMax, request.body);
      if (body === null) return tooLarge();
      return await take(request, body, env);
    } catch (error) {
      // The JSON is nested too deeply to serialise. A retry would not help.
      if (error instanceof RangeError) return text(400, 'The body is nested too deeply.');
      // Without the message, which may quote a header or a lead.
      console.error(`request failed: ${error?.name}`);
      return text(503, 'Not accepted. Try again later.');
    }
  },
};
export default relay;

const routes = { '/form': takeForm, '/typeform': takeTypeform, '/webflow': takeWebflow };

/** A form of a browser is not signed, so it is left to scoring to tell people from bots. */
async function takeForm(request, body, env) {
  const origins = (env.RELAY_ORIGINS ?? '').split(',').map((origin) => origin.trim());
  if (env.RELAY_ORIGINS && !origins.includes(request.headers.get('origin') ?? '')) {
    return text(403, 'This origin is not allowed.');
  }
  const type = request.headers.get('content-type') ?? '';
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)) {
    return text(415, 'Send an HTML form.');
  }
  const fields = await readForm(type, body);
  if (fields === null) return text(400, 'The form cannot be read.');
  // The same content again is a second click on the button.
  const outcome = await forward({ fields, key: `form-${await digest(JSON.stringify(fields))}` }, env);
  if (outcome === 'too large') return tooLarge();
  if (outcome !== 'accepted') {
    return text(503, 'Your message could not be sent. Please go back and try again in a minute.');
  }
  if (!env.RELAY_THANKS) return text(200, 'Thank you. We have received your message.');
  return new Response(null, { status: 303, headers: { location: env.RELAY_THANKS } });
}

async function readForm(type, body) {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null);
  if (form === null) return null;
  const values = new Map();
  for (const [name, value] of form) {
    if (!values.has(name)) values.set(name, []);
    // Only the names of files: a lead is small.
    values.get(name).push(typeof value === 'string' ? value : value.name);
  }
  // fromEntries treats a field called __proto__ like any other.
  return Object.fromEntries(Array.from(values, ([name, all]) => [name, all.join(', ')]));
}

/** Typeform signs the body (Typeform-Signature: sha256=<base64>) and retries after a 503. */
async function takeTypeform(request, body, env) {
  if (!env.TYPEFORM_SECRET) return text(404, 'TYPEFORM_SECRET is not set.');
  const wanted = `sha256=${base64(await hmac(env.TYPEFORM_SECRET, body))}`;
  if (!isSame(wanted, request.headers.get('typeform-signature') ?? ''))
    return text(401, 'The signature does not match.');
  const response = memberOf(json(body), 'form_response');
  const key = await keyOf('typeform', memberOf(response, 'token'));
  const fields = typeformFields(response);
  if (key === null || fields === null) return text(400, 'The body is not a complete Typeform response.');
  return responseFor(await forward({ fields, key }, env));
}

/** Null if an answer is not in Typeform's format: a lead without it would look complete. */
function typeformFields(response) {
  const titles = new Map();
  for (const field of arrayOf(memberOf(memberOf(response, 'definition'), 'fields'))) {
    titles.set(memberOf(field, 'id'), memberOf(field, 'title'));
  }
  const hidden = memberOf(response, 'hidden');
  const fields = isObject(hidden) ? Object.entries(hidden) : [];
  for (const answer of arrayOf(memberOf(response, 'answers'))) {
    const [ref, id] = ['ref', 'id'].map((member) => memberOf(memberOf(answer, 'field'), member));
    // A ref that somebody chose is a good name; a ref that Typeform generated is a UUID.
    const isChosen = isName(ref) && !/^[0-9a-f]{8}-/.test(ref);
    const name = [isChosen ? ref : null, titles.get(id), id, ref].find(isName);
    const value = typeformValue(answer);
    if (name === undefined || value === undefined) return null;
    fields.push([name, value]);
  }
  return Object.fromEntries(fields);
}

/** Undefined if the answer has no value under the name of its type. */
function typeformValue(answer) {
  const type = memberOf(answer, 'type');
  const value = isName(type) ? memberOf(answer, type) : undefined;
  if (!isObject(value)) return Array.isArray(value) ? written(value) : value;
  const [label, labels, other] = ['label', 'labels', 'other'].map((member) => memberOf(value, member));
  if (type === 'choice') return written(label ?? other ?? '');
  if (type === 'choices') return [...arrayOf(labels), other].filter(Boolean).map(written).join(', ');
  return written(value);
}

/** Webflow signs "{timestamp}:{body}" as hex if the webhook was created through its API. It expects a 200. */
async function takeWebflow(request, body, env) {
  if (!env.WEBFLOW_SECRET) return text(404, 'WEBFLOW_SECRET is not set.');
  const timestamp = request.headers.get('x-webflow-timestamp') ?? '';
  const wanted = hex(await hmac(env.WEBFLOW_SECRET, await joined([`${timestamp}:`, body])));
  const isFresh = Math.abs(Date.now() - Number(timestamp)) < webflowAgeMsMax;
  if (!isFresh || !isSame(wanted, request.headers.get('x-webflow-signature') ?? '')) {
    return text(401, 'The signature does not match, or is too old.');
  }
  const event = json(body);
  if (!isObject(event)) return text(400, 'The body is not a Webflow event.');
  if (memberOf(event, 'triggerType') !== 'form_submission')
    return text(200, 'Ignored: not a form submission.');
  const [data, name, id] = ['data', 'name', 'id'].map((member) =>
    memberOf(memberOf(event, 'payload'), member),
  );
  const key = await keyOf('webflow', id);
  if (key === null || !isObject(data)) return text(400, 'The body is not a complete Webflow submission.');
  const fields = isName(name) ? { ...data, webflow_form: name } : data;
  return responseFor(await forward({ fields, key }, env));
}

/** The idempotency key of a submission; null without an id, because all such submissions would become one lead. */
async function keyOf(sender, id) {
  if (!isName(id) && typeof id !== 'number') return null;
  const isPlain = /^[\w.:-]{1,200}$/.test(String(id));
  return `${sender}-${isPlain ? id : await digest(String(id))}`;
}

/** A rejection is a 200, and a proxy can send anything, so only Leadgate's own 202 means 'accepted'. */
async function forward({ fields, key }, env) {
  const body = encoder.encode(JSON.stringify(fields));
  if (body.length > bodyBytesMax) return 'too large';
  const headers = leadHeaders(env, key);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt * Math.random()));
    const outcome = await send(`${urlOf(env)}/api/v1/ingest`, headers, body).catch(() => 'no response');
    if (outcome !== 'no response') return outcome;
  }
  console.error('Leadgate did not respond');
  return 'no response';
}

async function send(url, headers, body) {
  // Following a redirect could send the token to another host.
  const request = { method: 'POST', headers, body, redirect: 'manual' };
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(attemptMsMax) });
  const result = json((await bytesWithin(responseBytesMax, response.body)) ?? new Uint8Array());
  if (response.status === 202 && typeof memberOf(result, 'submission_id') === 'string') return 'accepted';
  // From a proxy, while the service behind it restarts.
  if ([502, 503, 504].includes(response.status)) return 'no response';
  console.error(
    `lead not accepted: status ${response.status}, request ${response.headers.get('x-request-id')}`,
  );
  return 'not accepted';
}

const urlOf = (env) => new URL(env.LEADGATE_URL).href.replace(/\/+$/, '');
const leadHeaders = (env, key) =>
  new Headers({
    authorization: `Bearer ${env.LEADGATE_TOKEN}`,
    'content-type': 'application/json',
    // The same for all attempts, including retries by the sender, so that one lead is stored.
    [`${env.LEADGATE_HEADER_PREFIX ?? 'X-SVC-'}Idempotency-Key`]: key,
  });

function responseFor(outcome) {
  if (outcome === 'too large') return tooLarge();
  return outcome === 'accepted' ? text(200, 'Accepted.') : text(503, 'Not accepted. Try again later.');
}
const tooLarge = () => text(413, 'The body is too large.');
const text = (status, words) =>
  new Response(`${words}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

// Senders can post JSON of any shape, so the code above reads members only through these functions.
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value) => typeof value === 'string' && value !== '';
const memberOf = (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);
const arrayOf = (value) => (Array.isArray(value) ? value : []);
const written = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

const encoder = new TextEncoder();
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const joined = async (parts) => new Uint8Array(await new Blob(parts).arrayBuffer());
const digest = async (words) =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(words))));

/** Null if there are more bytes; the rest is not read. */
async function bytesWithin(bytesMax, stream) {
  const parts = [];
  let bytes = 0;
  for (const reader = stream?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > bytesMax) {
      await reader.cancel().catch(() => {});
      return null;
    }
    parts.push(value);
  }
  return joined(parts);
}

function json(body) {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

async function hmac(secret, bytes) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
}

/** Compares in constant time. */
function isSame(wanted, sent) {
  let difference = wanted.length ^ sent.length;
  for (let i = 0; i < wanted.length; i++) difference |= wanted.charCodeAt(i) ^ sent.charCodeAt(i);
  return difference === 0;
}

// From here on: the HTTP server, when Node runs this file directly. Workers do not use it.
const headMsMax = 10_000;
const requestMsMax = 20_000;
const connectionsMax = 500;
// Senders can disconnect early, so the number of connections does not limit the requests in progress.
const inProgressMax = 200;
// Reads a body that is too large a little further: a sender that is still writing would not see the response.
const discardedBytesMax = 8 * bodyBytesMax;
let inProgress = 0;

async function serveOnNode(env) {
  if (!isUsable(env)) {
    console.error('Set LEADGATE_URL to the URL of Leadgate and LEADGATE_TOKEN to an ingest token.');
    process.exit(1);
  }
  const { createServer } = await import('node:http');
  const limits = {
    headersTimeout: headMsMax,
    requestTimeout: requestMsMax,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(limits, (incoming, outgoing) => {
    // The sender disconnected in the middle of its request.
    respondOnNode(incoming, outgoing, env).catch(() => incoming.destroy());
  });
  server.maxConnections = connectionsMax;
  // For senders that do not read the response.
  server.setTimeout(3 * requestMsMax);
  const host = env.HOST ?? '127.0.0.1';
  server.listen(Number(env.PORT ?? 8080), host, () => {
    console.log(`relay listening on http://${host}:${server.address().port}`);
  });
}

function isUsable(env) {
  try {
    return urlOf(env).startsWith('http') && leadHeaders(env, 'x') && !!env.LEADGATE_TOKEN;
  } catch {
    return false;
  }
}

async function respondOnNode(incoming, outgoing, env) {
  for (const stream of [incoming, outgoing]) stream.on('error', () => {});
  const response = await nodeResponse(incoming, env);
  const headers = Object.fromEntries(response.headers);
  // After an unread body, the connection cannot carry another request.
  outgoing.writeHead(response.status, incoming.complete ? headers : { ...headers, connection: 'close' });
  outgoing.end(await response.text());
}

async function nodeResponse(incoming, env) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
    if (bytes > discardedBytesMax) break;
  }
  if (bytes > bodyBytesMax) return tooLarge();
  const request = requestOf(incoming, chunks);
  if (request === null) return text(400, 'The request cannot be read.');
  if (inProgress >= inProgressMax) return text(503, 'Too many requests in progress. Try again later.');
  inProgress++;
  return relay.fetch(request, env).finally(() => inProgress--);
}

/** Null for valid HTTP that `Request` does not accept: TRACE, a URL with a space. */
function requestOf({ method, url, headers }, chunks) {
  try {
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: new Blob(chunks) };
    const lines = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    return new Request(new URL(url, 'http://relay'), { method, headers: lines, ...body });
  } catch {
    return null;
  }
}

const startedWith = globalThis.process?.argv?.[1];
if (
  startedWith !== undefined &&
  import.meta.url?.endsWith('/relay.mjs') &&
  /[\\/]relay\.mjs$/.test(startedWith)
) {
  serveOnNode(process.env);
}

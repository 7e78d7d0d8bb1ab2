// A small relay for senders that can neither sign nor set headers: plain HTML forms, Typeform, Webflow.
// It checks what the sender can prove, makes a flat lead of what was sent, and passes it on with a server token.
//
//   LEADGATE_URL=https://leads.example.com LEADGATE_TOKEN=ingt_srv_… node relay.mjs
//
// One file, no packages: Node 20 or newer runs it, and so do workers that know `export default { fetch(request, env) }`.

const bodyBytesMax = 131_072;
// More than any answer of Leadgate.
const answerBytesMax = 16_384;
// Together less than the half minute that Typeform waits for its answer.
const attemptsMax = 3;
const attemptMsMax = 4_000;
// Covers the repeats that Webflow sends within half an hour; the idempotency key makes one lead of them.
const webflowAgeMsMax = 60 * 60 * 1000;

const relay = {
  /** @param {Request} request @param {Record<string, string | undefined>} env */
  async fetch(request, env) {
    try {
      const take = routes[new URL(request.url).pathname];
      if (take === undefined || request.method !== 'POST') return text(404, 'There is nothing here.');
      const body = await bytesWithin(bodyBytesMax, request.body);
      if (body === null) return tooLarge();
      return await take(request, body, env);
    } catch (error) {
      // JSON that is nested too deeply to be written again. It would not fare better the next time.
      if (error instanceof RangeError) return text(400, 'This cannot be read.');
      // Not its message: that may quote a header or a lead.
      console.error(`The relay failed on a request: ${error?.name}`);
      return text(503, 'Not kept. Send it again.');
    }
  },
};
export default relay;

const routes = { '/form': takeForm, '/typeform': takeTypeform, '/webflow': takeWebflow };

/** A browser waits for a page. What it sends proves nothing, so the score has to tell people from robots. */
async function takeForm(request, body, env) {
  const origins = (env.RELAY_ORIGINS ?? '').split(',').map((origin) => origin.trim());
  if (env.RELAY_ORIGINS && !origins.includes(request.headers.get('origin') ?? '')) {
    return text(403, 'This form may not be sent from here.');
  }
  const type = request.headers.get('content-type') ?? '';
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)) {
    return text(415, 'Send a form.');
  }
  const fields = await readForm(type, body);
  if (fields === null) return text(400, 'This form cannot be read.');
  // The same content twice is a second click on the button.
  const outcome = await passOn({ fields, key: `form-${await digest(JSON.stringify(fields))}` }, env);
  if (outcome === 'too large') return tooLarge();
  if (outcome !== 'kept') {
    return text(503, 'Your message could not be kept. Please go back and try again in a minute.');
  }
  if (!env.RELAY_THANKS) return text(200, 'Thank you. Your message has arrived.');
  return new Response(null, { status: 303, headers: { location: env.RELAY_THANKS } });
}

async function readForm(type, body) {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null);
  if (form === null) return null;
  const values = new Map();
  for (const [name, value] of form) {
    if (!values.has(name)) values.set(name, []);
    // Of files only the names: leads are small.
    values.get(name).push(typeof value === 'string' ? value : value.name);
  }
  // Not by assignment: a field called __proto__ is a field like any other.
  return Object.fromEntries(Array.from(values, ([name, all]) => [name, all.join(', ')]));
}

/** Typeform signs the body: Typeform-Signature: sha256=<base64>. It sends again when the answer is 503. */
async function takeTypeform(request, body, env) {
  if (!env.TYPEFORM_SECRET) return text(404, 'TYPEFORM_SECRET is not set.');
  const wanted = `sha256=${base64(await hmac(env.TYPEFORM_SECRET, body))}`;
  if (!isSame(wanted, request.headers.get('typeform-signature') ?? '')) return text(401, 'Not signed.');
  const response = memberOf(json(body), 'form_response');
  const key = await keyOf('typeform', memberOf(response, 'token'));
  const fields = typeformFields(response);
  if (key === null || fields === null) return text(400, 'There is no complete response in this.');
  return stored(await passOn({ fields, key }, env));
}

/** Null when an answer is not of Typeform's shape: a lead that lacks it would look complete. */
function typeformFields(response) {
  const titles = new Map();
  for (const field of arrayOf(memberOf(memberOf(response, 'definition'), 'fields'))) {
    titles.set(memberOf(field, 'id'), memberOf(field, 'title'));
  }
  const hidden = memberOf(response, 'hidden');
  const fields = isObject(hidden) ? Object.entries(hidden) : [];
  for (const answer of arrayOf(memberOf(response, 'answers'))) {
    const [ref, id] = ['ref', 'id'].map((member) => memberOf(memberOf(answer, 'field'), member));
    // A ref that somebody chose is a good name; one that Typeform made is a UUID and is not.
    const isChosen = isName(ref) && !/^[0-9a-f]{8}-/.test(ref);
    const name = [isChosen ? ref : null, titles.get(id), id, ref].find(isName);
    const value = typeformValue(answer);
    if (name === undefined || value === undefined) return null;
    fields.push([name, value]);
  }
  return Object.fromEntries(fields);
}

/** Undefined when there is none under the name that the answer gives its type. */
function typeformValue(answer) {
  const type = memberOf(answer, 'type');
  const value = isName(type) ? memberOf(answer, type) : undefined;
  if (!isObject(value)) return Array.isArray(value) ? written(value) : value;
  const [label, labels, other] = ['label', 'labels', 'other'].map((member) => memberOf(value, member));
  if (type === 'choice') return written(label ?? other ?? '');
  if (type === 'choices') return [...arrayOf(labels), other].filter(Boolean).map(written).join(', ');
  return written(value);
}

/** Webflow signs "{timestamp}:{body}" as hex, if its webhook was made through its API. It wants a 200. */
async function takeWebflow(request, body, env) {
  if (!env.WEBFLOW_SECRET) return text(404, 'WEBFLOW_SECRET is not set.');
  const timestamp = request.headers.get('x-webflow-timestamp') ?? '';
  const wanted = hex(await hmac(env.WEBFLOW_SECRET, await joined([`${timestamp}:`, body])));
  const isFresh = Math.abs(Date.now() - Number(timestamp)) < webflowAgeMsMax;
  if (!isFresh || !isSame(wanted, request.headers.get('x-webflow-signature') ?? '')) {
    return text(401, 'Not signed, or too old.');
  }
  const event = json(body);
  if (!isObject(event)) return text(400, 'There is no event in this.');
  if (memberOf(event, 'triggerType') !== 'form_submission') return text(200, 'Not a form.');
  const [data, name, id] = ['data', 'name', 'id'].map((member) =>
    memberOf(memberOf(event, 'payload'), member),
  );
  const key = await keyOf('webflow', id);
  if (key === null || !isObject(data)) return text(400, 'There is no complete submission in this.');
  const fields = isName(name) ? { ...data, webflow_form: name } : data;
  return stored(await passOn({ fields, key }, env));
}

/** A key of its own for each submission; null without an id, because all of those would be one lead. */
async function keyOf(sender, id) {
  if (!isName(id) && typeof id !== 'number') return null;
  const isPlain = /^[\w.:-]{1,200}$/.test(String(id));
  return `${sender}-${isPlain ? id : await digest(String(id))}`;
}

/** 'kept' when Leadgate has the lead. A rejection is a 200 and a proxy may say anything, so nothing but its own 202 will do. */
async function passOn({ fields, key }, env) {
  const body = encoder.encode(JSON.stringify(fields));
  if (body.length > bodyBytesMax) return 'too large';
  const headers = leadHeaders(env, key);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt * Math.random()));
    const outcome = await ask(`${addressOf(env)}/api/v1/ingest`, headers, body).catch(() => 'no answer');
    if (outcome !== 'no answer') return outcome;
  }
  console.error('Leadgate did not answer.');
  return 'no answer';
}

async function ask(address, headers, body) {
  // A redirect would carry the token to somebody else.
  const request = { method: 'POST', headers, body, redirect: 'manual' };
  const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(attemptMsMax) });
  const said = json((await bytesWithin(answerBytesMax, answer.body)) ?? new Uint8Array());
  if (answer.status === 202 && typeof memberOf(said, 'submission_id') === 'string') return 'kept';
  // What a proxy says while the service behind it starts again.
  if ([502, 503, 504].includes(answer.status)) return 'no answer';
  console.error(`Not taken: status ${answer.status}, request ${answer.headers.get('x-request-id')}`);
  return 'not taken';
}

const addressOf = (env) => new URL(env.LEADGATE_URL).href.replace(/\/+$/, '');
const leadHeaders = (env, key) =>
  new Headers({
    authorization: `Bearer ${env.LEADGATE_TOKEN}`,
    'content-type': 'application/json',
    // The same on every attempt, also those of the sender: there will be one lead.
    [`${env.LEADGATE_HEADER_PREFIX ?? 'X-SVC-'}Idempotency-Key`]: key,
  });

function stored(outcome) {
  if (outcome === 'too large') return tooLarge();
  return outcome === 'kept' ? text(200, 'Kept.') : text(503, 'Not kept. Send it again.');
}
const tooLarge = () => text(413, 'That is too much.');
const text = (status, words) =>
  new Response(`${words}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

// What senders post may have any shape. Members are read through these, so that none of them surprises the code above.
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

/** Null as soon as there is more than that; the rest is not read. */
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

/** In a time that does not tell where the two differ. */
function isSame(wanted, sent) {
  let difference = wanted.length ^ sent.length;
  for (let i = 0; i < wanted.length; i++) difference |= wanted.charCodeAt(i) ^ sent.charCodeAt(i);
  return difference === 0;
}

// Where this file is what Node was started with; a worker never comes here.
const headMsMax = 10_000;
const requestMsMax = 20_000;
const connectionsMax = 500;
// Senders may leave before their answer, so connections alone do not bound what is passed on.
const underWayMax = 200;
// What is too much is read on for a while: a sender that still writes would not see its answer.
const discardedBytesMax = 8 * bodyBytesMax;
let underWay = 0;

async function serveOnNode(env) {
  if (!isUsable(env)) {
    console.error('Set LEADGATE_URL to an address and LEADGATE_TOKEN to a server token.');
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
    // Nobody is left to answer: the sender has gone in the middle of its request.
    answerOnNode(incoming, outgoing, env).catch(() => incoming.destroy());
  });
  server.maxConnections = connectionsMax;
  // For senders that do not fetch their answer.
  server.setTimeout(3 * requestMsMax);
  const host = env.HOST ?? '127.0.0.1';
  server.listen(Number(env.PORT ?? 8080), host, () => {
    console.log(`The relay listens on http://${host}:${server.address().port}`);
  });
}

function isUsable(env) {
  try {
    return addressOf(env).startsWith('http') && leadHeaders(env, 'x') && !!env.LEADGATE_TOKEN;
  } catch {
    return false;
  }
}

async function answerOnNode(incoming, outgoing, env) {
  for (const stream of [incoming, outgoing]) stream.on('error', () => {});
  const answer = await nodeAnswer(incoming, env);
  const headers = Object.fromEntries(answer.headers);
  // What was not read to its end cannot be followed by another request.
  outgoing.writeHead(answer.status, incoming.complete ? headers : { ...headers, connection: 'close' });
  outgoing.end(await answer.text());
}

async function nodeAnswer(incoming, env) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
    if (bytes > discardedBytesMax) break;
  }
  if (bytes > bodyBytesMax) return tooLarge();
  const request = requestOf(incoming, chunks);
  if (request === null) return text(400, 'This request cannot be read.');
  if (underWay >= underWayMax) return text(503, 'Too many at once. Send it again.');
  underWay++;
  return relay.fetch(request, env).finally(() => underWay--);
}

/** Null for what is valid HTTP and yet no request that `fetch` knows: TRACE, an address with a space. */
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

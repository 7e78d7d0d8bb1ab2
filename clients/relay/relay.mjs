// A small relay for senders that can neither sign nor set headers: plain HTML forms, Typeform, Webflow.
// It checks what the sender can prove, makes a flat lead of what was sent, and passes it on with a server token.
//
//   LEADGATE_URL=https://leads.example.com LEADGATE_TOKEN=ingt_srv_… node relay.mjs
//
// One file, no packages: Node 18 or newer runs it, and so do workers that know `export default { fetch(request, env) }`.

const bodyBytesMax = 131_072;
// Covers the repeats that Webflow sends within half an hour; the idempotency key makes one lead of them.
const webflowAgeMsMax = 60 * 60 * 1000;

const relay = {
  /** @param {Request} request @param {Record<string, string | undefined>} env */
  async fetch(request, env) {
    const take = routes[new URL(request.url).pathname];
    if (take === undefined || request.method !== 'POST') return text(404, 'There is nothing here.');
    const body = new Uint8Array(await request.arrayBuffer());
    if (body.byteLength > bodyBytesMax) return text(413, 'That is too much.');
    return take(request, body, env);
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
  const fields = await readForm(request, body);
  if (fields === null) return text(415, 'Send a form.');
  // The same content twice is a second click on the button.
  const isKept = await passOn(fields, `form-${await digest(JSON.stringify(fields))}`, env);
  if (!isKept) return text(503, 'Your message could not be kept. Please go back and try again in a minute.');
  if (!env.RELAY_THANKS) return text(200, 'Thank you. Your message has arrived.');
  return new Response(null, { status: 303, headers: { location: env.RELAY_THANKS } });
}

async function readForm(request, body) {
  const type = request.headers.get('content-type') ?? '';
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)) return null;
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null);
  if (form === null) return null;
  const fields = {};
  for (const name of new Set(form.keys())) {
    // Of files only the names: leads are small.
    const values = form.getAll(name).map((value) => (typeof value === 'string' ? value : value.name));
    fields[name] = values.join(', ');
  }
  return fields;
}

/** Typeform signs the body: Typeform-Signature: sha256=<base64>. It sends again when the answer is 503. */
async function takeTypeform(request, body, env) {
  if (!env.TYPEFORM_SECRET) return text(404, 'TYPEFORM_SECRET is not set.');
  const wanted = `sha256=${base64(await hmac(env.TYPEFORM_SECRET, body))}`;
  if (!isSame(wanted, request.headers.get('typeform-signature') ?? '')) return text(401, 'Not signed.');
  const response = json(body)?.form_response;
  if (!response?.token) return text(400, 'There is no response in this.');
  const fields = { ...response.hidden };
  const titles = new Map((response.definition?.fields ?? []).map(({ id, title }) => [id, title]));
  for (const answer of response.answers ?? []) {
    const { ref, id } = answer.field;
    // A ref that somebody chose is a good name; one that Typeform made is a UUID and is not.
    const name = ref && !/^[0-9a-f]{8}-/.test(ref) ? ref : (titles.get(id) ?? id);
    fields[name] = typeformValue(answer);
  }
  return stored(await passOn(fields, `typeform-${response.token}`, env));
}

function typeformValue(answer) {
  const value = answer[answer.type];
  if (answer.type === 'choice') return value.label ?? value.other ?? '';
  if (answer.type === 'choices') return [...(value.labels ?? []), value.other].filter(Boolean).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** Webflow signs "{timestamp}:{body}" as hex, if its webhook was made through its API. It wants a 200. */
async function takeWebflow(request, body, env) {
  if (!env.WEBFLOW_SECRET) return text(404, 'WEBFLOW_SECRET is not set.');
  const timestamp = request.headers.get('x-webflow-timestamp') ?? '';
  const wanted = hex(await hmac(env.WEBFLOW_SECRET, joined(`${timestamp}:`, body)));
  const isFresh = Math.abs(Date.now() - Number(timestamp)) < webflowAgeMsMax;
  if (!isFresh || !isSame(wanted, request.headers.get('x-webflow-signature') ?? '')) {
    return text(401, 'Not signed, or too old.');
  }
  const event = json(body);
  if (event?.triggerType !== 'form_submission') return text(200, 'Not a form.');
  const { data, name, id } = event.payload;
  return stored(await passOn({ ...data, webflow_form: name }, `webflow-${id}`, env));
}

/** True when Leadgate has the lead. A rejection is a 200, so nothing but 202 will do. */
async function passOn(fields, key, env) {
  const prefix = env.LEADGATE_HEADER_PREFIX ?? 'X-SVC-';
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const answer = await fetch(`${env.LEADGATE_URL}/api/v1/ingest`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${env.LEADGATE_TOKEN}`,
          'content-type': 'application/json',
          // The same on every attempt, also those of the sender: there will be one lead.
          [`${prefix}Idempotency-Key`]: key,
        },
        body: JSON.stringify(fields),
        signal: AbortSignal.timeout(5_000),
      });
      if (answer.status === 202) return true;
      console.error(`Leadgate rejected a lead: request ${answer.headers.get('x-request-id')}`);
      return false;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
    }
  }
  console.error('Leadgate did not answer.');
  return false;
}

const stored = (isKept) => (isKept ? text(200, 'Kept.') : text(503, 'Not kept. Send it again.'));
const text = (status, words) =>
  new Response(`${words}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

const encoder = new TextEncoder();
const joined = (start, body) => new Uint8Array([...encoder.encode(start), ...body]);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const digest = async (words) =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(words))));

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

/** Only where this file is what Node was started with; a worker never comes here. */
async function serveOnNode() {
  const { createServer } = await import('node:http');
  const server = createServer(async (incoming, outgoing) => {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of incoming) {
      // Enough to see that it is too much, and no more.
      if (bytes <= bodyBytesMax) chunks.push(chunk);
      bytes += chunk.length;
    }
    const { method } = incoming;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const request = new Request(`http://relay${incoming.url}`, {
      method,
      headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      ...(hasBody ? { body: new Blob(chunks) } : {}),
    });
    const answer = await relay.fetch(request, process.env);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(await answer.text());
  });
  const host = process.env.HOST ?? '127.0.0.1';
  server.listen(Number(process.env.PORT ?? 8080), host, () => {
    console.log(`The relay listens on http://${host}:${server.address().port}`);
  });
}

const startedWith = globalThis.process?.argv?.[1];
if (
  startedWith !== undefined &&
  import.meta.url?.endsWith('/relay.mjs') &&
  /[\\/]relay\.mjs$/.test(startedWith)
) {
  serveOnNode();
}

import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import { type Surface, surfaces } from '../../src/domain/surface.ts';
import type { TestService } from './service.ts';

/** A workspace with one form that accepts leads on both surfaces. */
export interface Sender {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly token: string;
  readonly tokenId: string;
  readonly secret: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** Those that a sender uses. Web pages have their own tests. */
export const senderSurfaces = surfaces.filter((surface) => surface !== 'browser');

export type HeaderList = Record<string, string | string[]>;

export interface PostOptions {
  readonly headers?: HeaderList;
  /** Headers that are not sent at all. */
  readonly without?: readonly string[];
  readonly key?: string;
  readonly method?: string;
  readonly timestamp?: string;
  readonly secret?: string;
  readonly path?: string;
}

export const rejectedBody = '{"status":"rejected"}';
export const someLead = JSON.stringify({
  name: 'Ada Lovelace',
  email: 'ada@analytical.engine',
  company: 'Engines',
});

let senders = 0;

export async function createSender(service: TestService): Promise<Sender> {
  const slug = `form-${++senders}-${Math.random().toString(36).slice(2, 10)}`;
  const workspace = await made(service, '/workspaces', { name: `Workspace of ${slug}` });
  const at = `/workspaces/${workspace.id}`;
  const form = await made(service, `${at}/forms`, { name: 'Contact', slug });
  const { json } = await service.api('PUT', `${at}/forms/${form.id}/webhook-secret`, {});
  // Last, so that another instance that knows the token knows everything else too.
  const token = await made(service, `${at}/tokens`, { name: 'Backend', form_id: form.id });
  const ids = { workspaceId: workspace.id, formId: form.id, tokenId: token.id };
  return { ...ids, slug, token: token.token, secret: json.secret };
}

async function made(service: TestService, path: string, body: object) {
  const { status, json, text } = await service.api('POST', path, body);
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`);
  return json;
}

/** Posts a valid lead, except for what the options change. */
export function post(
  service: TestService,
  sender: Sender,
  surface: Surface,
  body: string | Buffer = someLead,
  options: PostOptions = {},
): Promise<Answer> {
  const own =
    surface === 'server' ? bearerHeaders(sender) : signedHeaders(service, sender, Buffer.from(body), options);
  const headers: HeaderList = { 'Content-Type': 'application/json', ...own, ...options.headers };
  if (options.key !== undefined) headers['X-SVC-Idempotency-Key'] = options.key;
  for (const name of options.without ?? []) delete headers[name];
  return send(
    service.url + (options.path ?? pathOf(sender, surface)),
    options.method ?? 'POST',
    headers,
    body,
  );
}

export function pathOf(sender: Sender, surface: Surface): string {
  return surface === 'server' ? '/api/v1/ingest' : `/api/v1/ingest/${sender.slug}`;
}

function bearerHeaders(sender: Sender): HeaderList {
  return { Authorization: `Bearer ${sender.token}` };
}

function signedHeaders(service: TestService, sender: Sender, body: Buffer, options: PostOptions): HeaderList {
  const timestamp = options.timestamp ?? String(Math.floor(service.clock.now() / 1000));
  const signature = sign(options.secret ?? sender.secret, timestamp, body).toString('hex');
  return { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

export function send(
  url: string,
  method: string,
  headers: HeaderList,
  body: string | Buffer,
  connections = agent,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: connections }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
      );
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    // As bytes, because for a string Node would encode the headers like the body.
    const bytes = Buffer.from(body);
    // Node leaves it out for GET and OPTIONS, and the body would then be read as the next request.
    if (bytes.length > 0 && headers['Transfer-Encoding'] === undefined)
      outgoing.setHeader('Content-Length', bytes.length);
    outgoing.end(bytes);
  });
}

export function submissionIdOf(answer: Answer): string {
  return JSON.parse(answer.body).submission_id;
}

export function expectRejected(answer: Answer): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: rejectedBody });
}

import { type IncomingMessage, request as open } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type CallDeclaration, isCompressible } from '../../src/contract/call.ts';
import { calls } from '../../src/contract/calls.ts';
import { workspaces } from '../../src/demo/cast.ts';
import { makeLead } from '../../src/demo/lead-maker.ts';
import { Random } from '../../src/time/random.ts';
import { eventually, leadsOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
const encodings = ['br', 'gzip'] as const;
const leadsPerPage = 100;

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  for (const body of hundredLeads()) expect((await post(service, sender, 'server', body)).status).toBe(202);
  const isEnriched = (lead: { verdict: string; enrichment: unknown }) =>
    lead.verdict !== 'clean' || lead.enrichment !== null;
  const stored = await eventually(
    () => leadsOf(service, sender, '?limit=200'),
    (leads) => leads.every(isEnriched),
  );
  expect(stored).toHaveLength(leadsPerPage);
});
afterAll(() => service.stop());

/** Those of the demo, but no two with the same message: that would make them smaller than real ones. */
function hundredLeads(): string[] {
  const random = new Random(20_261_116);
  const forms = workspaces.flatMap((workspace) => workspace.forms);
  const words = forms.flatMap(({ topics }) => topics.flatMap((topic) => topic.split(' ')));
  return Array.from({ length: leadsPerPage }, () => {
    const message = Array.from({ length: random.integer(6, 24) }, () => random.pick(words)).join(' ');
    return JSON.stringify({ ...makeLead(random.pick(forms), random), message });
  });
}

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** What arrives on the wire. */
async function received(path: string, accepted?: string, sent?: object): Promise<Received> {
  const headers = {
    Authorization: `Bearer ${service.operatorKey}`,
    ...(accepted === undefined ? {} : { 'Accept-Encoding': accepted }),
    ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const response = await new Promise<IncomingMessage>((resolve) => {
    const method = sent === undefined ? 'GET' : 'POST';
    open(`${service.url}${path}`, { method, headers }, resolve).end(sent && JSON.stringify(sent));
  });
  return { headers: response.headers, body: await buffer(response) };
}

const inWorkspace = (rest: string) => `/api/v1/workspaces/${sender.workspaceId}${rest}`;

test.each(encodings)(
  'a list, an export and the OpenAPI document are sent in %s, and are the same',
  async (encoding) => {
    const last = new Date(Date.now() + 3_600_000).toISOString();
    for (const path of [
      inWorkspace('/leads?limit=100'),
      inWorkspace('/leads?limit=100&view=full'),
      inWorkspace(`/leads/export?format=csv&to=${last}`),
      inWorkspace(`/leads/export?format=ndjson&to=${last}`),
      '/api/openapi.json',
    ]) {
      const plain = await received(path);
      expect(plain.headers['content-encoding'], path).toBeUndefined();
      expect(plain.headers.vary, path).toBe('Accept-Encoding');
      const packed = await received(path, `${encoding}, identity;q=0.5`);
      expect(packed.headers['content-encoding'], path).toBe(encoding);
      expect(packed.headers.vary, path).toBe('Accept-Encoding');
      expect(packed.headers['x-content-type-options']).toBe('nosniff');
      expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
      expect(packed.body.length).toBeLessThan(plain.body.length / 3);
      expect(unpack[encoding](packed.body)).toEqual(plain.body);
    }
  },
);

test.each(encodings)('a hundred leads take at most 15 KB in %s', async (encoding) => {
  const { body } = await received(inWorkspace('/leads?limit=100'), encoding);
  expect(JSON.parse(unpack[encoding](body).toString()).items).toHaveLength(leadsPerPage);
  expect(body.length).toBeLessThanOrEqual(15_000);
});

test('short responses and problems are not compressed', async () => {
  for (const path of [inWorkspace(''), inWorkspace('/leads?verdict=nonsense'), '/api/v1/nowhere']) {
    const { headers, body } = await received(path, 'br, gzip');
    expect(headers['content-encoding']).toBeUndefined();
    expect(() => JSON.parse(body.toString())).not.toThrow();
  }
});

test('a response with a secret in it is not compressed, however long it is', async () => {
  const debugged = { timestamp: '1760000000', signature: 'a'.repeat(64), body: 'z'.repeat(5_000) };
  const [token, verdict] = await Promise.all([
    received(inWorkspace('/tokens'), 'br, gzip', { name: 'Website', form_id: sender.formId }),
    received(inWorkspace(`/forms/${sender.formId}/signature-debug`), 'br, gzip', debugged),
  ]);
  expect(JSON.parse(token.body.toString())).toHaveProperty('token');
  expect(JSON.parse(verdict.body.toString())).toHaveProperty('checks');
  expect(verdict.body.length).toBeGreaterThan(2_000);
  for (const { headers } of [token, verdict]) {
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBeUndefined();
  }
});

/** Names of members that have been looked at and are no secret. */
const harmless: Readonly<Record<string, string>> = {
  webhook_secret: 'Whether one is set, and since when.',
  links: 'Points for links in a lead.',
  token_id: 'Names a token.',
  token_name: 'Names a token.',
  handover_links: 'Which links are open, without what opens them.',
};
/** Members of single calls that are no secret there. */
const harmlessIn: Readonly<Record<string, readonly string[]>> = {
  // The ID and name of a token.
  '/workspaces/:workspace_id/leads/:submission_id/history': ['token'],
  // Expected leads.
  '/workspaces/:workspace_id/forms/:form_id/rhythm': ['expected'],
};
const secretWords = new Set([
  'token',
  'secret',
  'password',
  'link',
  'links',
  'url',
  'signature',
  'expected',
  'cookie',
  'session',
  'sealed',
]);

test.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
  'a response to %s with a member that sounds like a secret is never compressed',
  (_, call) => {
    const telling = [...membersOf(call)].filter(
      (name) => harmless[name] === undefined && name.split('_').some((word) => secretWords.has(word)),
    );
    const known = harmlessIn[call.path];
    if (known !== undefined) expect(telling).toEqual(known);
    else if (telling.length > 0)
      expect({ telling, isMarked: call.secret === true || call.gives === 'secret' }).toEqual({
        telling,
        isMarked: true,
      });
  },
);

test('only what is read may be compressed, and not what is marked', () => {
  const compressed = calls.filter(isCompressible);
  expect(compressed.every(({ method }) => method === 'get')).toBe(true);
  expect(compressed.filter(({ secret, gives }) => secret === true || gives === 'secret')).toEqual([]);
  expect(compressed.map(({ path }) => path)).not.toContain('/me');
});

function membersOf({ answer }: CallDeclaration): Set<string> {
  const names = new Set<string>();
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as { properties?: object };
    for (const name of Object.keys(properties ?? {})) names.add(name);
    Object.values(node).forEach(walk);
  };
  if (answer.body !== undefined) walk(z.toJSONSchema(answer.body, { unrepresentable: 'any' }));
  return names;
}

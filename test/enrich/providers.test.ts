import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enrichmentField } from '../../src/domain/enrichment/fields.ts';
import { publicProviders } from '../../src/enrich/lookup/plan.ts';
import { builtinProviders } from '../../src/enrich/providers/builtin/builtin.ts';
import { externalProvider } from '../../src/enrich/providers/external/external.ts';
import { fitFields } from '../../src/enrich/providers/provider.ts';
import { readInput } from '../../src/enrich/reading/input.ts';
import type { Egress } from '../../src/net/egress.ts';
import { SafeHttp } from '../../src/net/safe-http.ts';
import { somePublicAddress, TestNames } from '../support/egress.ts';
import { ask, expectWellFormed, someExternal, someInput, someSettings } from './asking.ts';

/** One suite over every provider: a new one gets these guarantees checked. */
const keys = fc.constantFrom(
  ...[
    'email',
    'name',
    'first_name',
    'last_name',
    'company',
    'phone',
    'title',
    'country',
    'website',
    'language',
  ],
  ...[
    'referrer',
    'page_url',
    'utm_source',
    'utm_medium',
    'gclid',
    'fbclid',
    'message',
    '_context',
    '__proto__',
    '',
  ],
);
const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl(),
  fc.emailAddress(),
  fc.jsonValue(),
  fc.constantFrom('ada@acme.de', '+49 30 901820', 'x'.repeat(20_000), '\ud800', '\u0000', '//', 'http://'),
);
const leads = fc.dictionary(keys, values);

describe.each(builtinProviders.map((provider) => [provider.id, provider] as const))('%s', (_, provider) => {
  test('never throws, and returns only fields of the table', () => {
    fc.assert(
      fc.property(leads, (lead) => {
        for (const { path, confidence } of provider.enrich(readInput(lead))) {
          expect(enrichmentField(path), path).not.toBeNull();
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('returns the same for the same lead', () => {
    fc.assert(
      fc.property(leads, (lead) => {
        const once = fitFields(provider.enrich(readInput(lead)));
        expect(fitFields(provider.enrich(readInput(structuredClone(lead))))).toEqual(once);
      }),
    );
  });
});

const lookups = [
  ...publicProviders.map((provider) => [provider.id, provider] as const),
  ['external (domain)', someExternal] as const,
  ['external (email)', externalProvider({ ...someSettings, send: 'email' }, 'X-SVC-')] as const,
];

/** Every name is public, and no connection ever responds. */
function silent(): Egress & { readonly open: Set<Duplex> } {
  const open = new Set<Duplex>();
  const names = new TestNames();
  names.addresses = async () => [somePublicAddress];
  names.mailExchanges = names.texts = () => new Promise<never>(() => {});
  return {
    open,
    names,
    dial() {
      const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
      open.add(socket.on('close', () => open.delete(socket)));
      return socket;
    },
  };
}

describe.each(lookups)('%s', (_, provider) => {
  test('never throws and returns a valid result for any lead when no name exists', async () => {
    const egress: Egress = { names: new TestNames(), dial: () => new Duplex() };
    await fc.assert(
      fc.asyncProperty(leads, async (lead) => {
        const input = readInput(lead);
        if (provider.skip(input) === null) expectWellFormed(await ask(provider, egress, { input }));
      }),
    );
  });

  test('requests a retry when the name servers do not respond', async () => {
    const names = new TestNames();
    for (const name of ['acme-public.com', 'www.acme-public.com', 'api.provider-public.com'])
      names.failing.add(name);
    expect(await ask(provider, { names, dial: () => new Duplex() })).toMatchObject({ kind: 'retry' });
  });

  test('ends soon after its timeout and leaves no connection open', async () => {
    const egress = silent();
    const result = await ask({ ...provider, timeoutMs: 50 }, egress);
    expect(result).toEqual({ kind: 'retry', why: 'timed out' });
    await expect.poll(() => egress.open.size, { timeout: 60_000 }).toBe(0);
  });

  test('stops by itself when the signal aborts', async () => {
    const egress = silent();
    // Name servers that honour the signal, like the real ones.
    egress.names.mailExchanges = (_name, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    egress.names.texts = async () => [];
    const stopping = new AbortController();
    const context = { names: egress.names, http: new SafeHttp(egress), now: new Date() };
    const asked = provider.ask(someInput, { ...context, signal: stopping.signal });
    stopping.abort();
    await expect(asked).rejects.toThrow();
    expect(egress.open.size).toBe(0);
  });

  test('has no result when the service stops: the job is done again later', async () => {
    const stopping = new AbortController();
    const asked = ask(provider, silent(), { stopping: stopping.signal });
    stopping.abort();
    await expect(asked).rejects.toThrow();
  });

  test('an error in it does not break the worker', async () => {
    const broken = [
      () => Promise.reject(new TypeError('fault')),
      () => {
        throw new TypeError('fault');
      },
      () => Promise.resolve(undefined as never),
      () => Promise.resolve({ kind: 'found', fields: null } as never),
    ];
    for (const asked of broken)
      expect(await ask({ ...provider, ask: asked }, silent())).toEqual({ kind: 'fail', why: 'fault' });
  });
});

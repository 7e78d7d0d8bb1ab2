import { expect, test } from 'vitest';
import type { StoredResult } from '../../db/enrichment/enrichment-results.ts';
import { externalProvider } from '../providers/external/external.ts';
import { readInput } from '../reading/input.ts';
import { isToBeAsked, isUnasked, planLookups, reportOf } from './plan.ts';

const company = readInput({ email: 'ada@acme.de' });
const external = externalProvider(
  { revision: 7, url: 'https://api.acme.de/', send: 'domain', header: null, signingSecret: 's', mapping: {} },
  'X-SVC-',
);

const result: StoredResult = {
  provider: 'external',
  version: 7,
  outcome: 'none',
  why: null,
  fields: [],
  attempts: 1,
  durationMs: 5,
  cached: false,
  observedAt: '2026-11-15T08:00:00.000Z',
};

function skips(fields: Record<string, unknown>, network: 'off' | 'dns' | 'full', withExternal = true) {
  const planned = planLookups(readInput(fields), {
    network,
    external: withExternal ? external : null,
    verdict: 'clean',
    results: [],
  });
  return planned.map(({ skip }) => skip);
}

test.each([
  [{ email: 'ada@acme.de' }, 'off', ['offline', 'offline', 'offline']],
  [{ email: 'ada@acme.de' }, 'dns', [null, 'offline', 'offline']],
  [{ email: 'ada@acme.de' }, 'full', [null, null, null]],
  [{ email: 'ada@gmail.com' }, 'full', ['free_mail', 'free_mail', 'free_mail']],
  [{ email: 'ada@gmail.com', website: 'acme.de' }, 'full', ['free_mail', null, null]],
  [{ name: 'Ada' }, 'full', ['no_input', 'no_input', 'no_input']],
] as const)(
  'for %j with the network %s, mx, site and external are skipped for %j',
  (fields, network, why) => {
    expect(skips(fields, network)).toEqual(why);
  },
);

test('without an external provider, there is none to ask', () => {
  expect(skips({ email: 'ada@acme.de' }, 'full', false)).toEqual([null, null, 'disabled']);
});

test.each([
  ['nothing', [], true, true],
  ['a result', [result], false, false],
  ['a result of an earlier version', [{ ...result, version: 6 }], true, true],
  ['a request for a retry', [{ ...result, outcome: 'retry' as const }], false, true],
])('after %s, a first job and a retry know whether to ask', (_, results, unasked, toBeAsked) => {
  const planned = planLookups(company, { network: 'full', external, verdict: 'clean', results })[2];
  if (planned === undefined) throw new Error('There is no third provider.');
  expect([isUnasked(planned), isToBeAsked(planned)]).toEqual([unasked, toBeAsked]);
  expect(reportOf(planned).outcome === 'pending').toBe(unasked);
});

test('results are kept when the network is turned off later', () => {
  const planned = planLookups(company, {
    network: 'off',
    external: null,
    verdict: 'clean',
    results: [result],
  })[2];
  expect(planned && reportOf(planned)).toMatchObject({ id: 'external', outcome: 'none', version: 7 });
});

test.each(['suspect', 'spam'] as const)('no provider is asked about a lead that is %s', (verdict) => {
  const waiting = { ...result, outcome: 'retry' as const };
  for (const results of [[], [waiting]]) {
    const planned = planLookups(company, { network: 'full', external, verdict, results });
    expect(planned.filter(isToBeAsked)).toEqual([]);
    expect(planned.map(reportOf)).toMatchObject(Array(3).fill({ outcome: 'skip', why: 'policy' }));
  }
  const answered = planLookups(company, { network: 'full', external, verdict, results: [result] });
  expect(reportOf(answered[2] as (typeof answered)[number])).toMatchObject({ outcome: 'none' });
});

test('a provider skipped for its budget is shown as skipped, and asked when the lead is enriched again', () => {
  const results = [{ ...result, outcome: 'skip' as const, why: 'budget' }];
  const planned = planLookups(company, { network: 'full', external, verdict: 'clean', results })[2];
  if (planned === undefined) throw new Error('There is no third provider.');
  expect([isUnasked(planned), isToBeAsked(planned)]).toEqual([false, true]);
  expect(reportOf(planned)).toMatchObject({ outcome: 'skip', why: 'budget' });
});

test('results about a misspelt domain are not kept', () => {
  const results = [{ ...result, provider: 'mx', version: 1 }];
  const input = readInput({ email: 'ada@gmial.com' });
  const planned = planLookups(input, { network: 'full', external, verdict: 'clean', results })[0];
  expect(planned && reportOf(planned)).toMatchObject({ id: 'mx', outcome: 'skip', why: 'free_mail' });
});

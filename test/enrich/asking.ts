import { pino } from 'pino';
import { expect } from 'vitest';
import { enrichmentField } from '../../src/domain/enrichment/fields.ts';
import { fitValue } from '../../src/domain/enrichment/value.ts';
import { type AskDeps, askProvider } from '../../src/enrich/lookup/ask.ts';
import { CircuitBreaker, HostLimits } from '../../src/enrich/lookup/hosts.ts';
import { type ExternalSettings, externalProvider } from '../../src/enrich/providers/external/external.ts';
import type { LookupProvider, LookupResult } from '../../src/enrich/providers/provider.ts';
import { type Input, readInput } from '../../src/enrich/reading/input.ts';
import type { Egress } from '../../src/net/egress.ts';
import { SafeHttp } from '../../src/net/safe-http.ts';
import { systemClock } from '../../src/time/real-clock.ts';

export const someInput: Input = readInput({ email: 'ada@acme-public.com', name: 'Ada Lovelace' });

export const someSettings: ExternalSettings = {
  revision: 1,
  url: 'https://api.provider-public.com/v1/companies',
  send: 'domain',
  header: { name: 'Authorization', value: 'Bearer key-of-the-test' },
  signingSecret: 'signing secret of the test',
  mapping: { 'company.name': 'name', 'company.phones': 'phones', 'company.city': 'address.city' },
};

export const someExternal = externalProvider(someSettings, 'X-SVC-');

/** Asks as the worker does, with its own circuit breaker, so that one test does not affect the next. */
export function ask(
  provider: LookupProvider,
  egress: Egress,
  { input = someInput, stopping = new AbortController().signal } = {},
): Promise<LookupResult> {
  const deps: AskDeps = {
    clock: systemClock,
    log: pino({ level: 'silent' }),
    names: egress.names,
    http: new SafeHttp(egress),
    limits: new HostLimits(),
    breaker: new CircuitBreaker(),
    spend: async () => true,
  };
  return askProvider(provider, input, 'test', deps, stopping);
}

/** What may be stored: known kinds, known fields, values of their types, nothing PostgreSQL would reject. */
export function expectWellFormed(result: LookupResult): void {
  expect(['found', 'none', 'skip', 'retry', 'fail']).toContain(result.kind);
  if (result.kind === 'retry' || result.kind === 'fail') expect(result.why).toMatch(/^.{1,255}$/);
  if (result.kind !== 'found') return;
  expect(result.fields.length).toBeGreaterThan(0);
  for (const { path, value, confidence } of result.fields) {
    const field = enrichmentField(path);
    expect(field, path).not.toBeNull();
    expect(field && fitValue(field.type, value)).toEqual(value);
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
  }
  const json = JSON.stringify(result);
  expect(json).not.toContain('\\u0000');
  expect(json.isWellFormed()).toBe(true);
}

import { enrichmentField } from '../../../domain/enrichment/fields.ts';
import { sign } from '../../../domain/signature.ts';
import { retryAfterMs } from '../../../net/retry-after.ts';
import { type HttpAnswer, RefusedError } from '../../../net/safe-http.ts';
import { dayMs, minuteMs, secondMs } from '../../../time/clock.ts';
import type { Input } from '../../reading/input.ts';
import type { FieldValue, LookupContext, LookupProvider, LookupResult } from '../provider.ts';

/** The owner's settings, with decrypted secrets. */
export interface ExternalSettings {
  readonly revision: number;
  readonly url: string;
  /** What is sent about a lead: the company domain, or the email address as well. */
  readonly send: 'domain' | 'email';
  readonly header: { readonly name: string; readonly value: string } | null;
  readonly signingSecret: string;
  /** From our field to the path in the response, such as `company.name` from `data.name`. */
  readonly mapping: Readonly<Record<string, string>>;
}

export const externalDescription = {
  id: 'external',
  phase: 'external',
  text: 'The HTTP JSON service set up by the owner of the workspace.',
  timeoutMs: 8_000,
  perHostMax: 4,
  // Results about a person are not kept for other leads, see cacheKey.
  cacheMs: { found: 7 * dayMs, none: dayMs, fail: 10 * minuteMs },
} as const;

const bytesMax = 262_144;
const confidence = 0.8;
const passingStatuses = new Set([408, 425, 429]);
const textDecoder = new TextDecoder('utf-8', { fatal: true });

/** Asks the owner's service about a company: a signed POST with JSON in the request and the response. */
export function externalProvider(settings: ExternalSettings, headerPrefix: string): LookupProvider {
  return {
    ...externalDescription,
    version: settings.revision,
    skip: (input) => skipOf(input, settings),
    cacheKey: ({ domain }) => (settings.send === 'domain' ? domain : null),
    host: () => new URL(settings.url).host,
    ask: (input, context) => ask(input, settings, headerPrefix, context),
  };
}

function skipOf({ email, domain }: Input, { send }: ExternalSettings) {
  if (send === 'email' && email !== null) return null;
  if (domain !== null) return null;
  return email === null ? 'no_input' : 'free_mail';
}

async function ask(
  { domain, email }: Input,
  settings: ExternalSettings,
  headerPrefix: string,
  { http, signal, now }: LookupContext,
): Promise<LookupResult> {
  const address = settings.send === 'email' && email !== null ? `${email.local}@${email.domain}` : undefined;
  const body = Buffer.from(JSON.stringify({ domain, email: address }));
  const timestamp = String(Math.floor(now.getTime() / secondMs));
  const { header } = settings;
  try {
    const answer = await http.send({
      method: 'POST',
      url: settings.url,
      headers: {
        ...(header === null ? {} : { [header.name]: header.value }),
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': String(body.length),
        [`${headerPrefix}Timestamp`]: timestamp,
        [`${headerPrefix}Signature`]: `sha256=${sign(settings.signingSecret, timestamp, body).toString('hex')}`,
      },
      body,
      contentTypes: ['application/json'],
      bytesMax,
      // A redirect would send the secret and personal data to a host that the owner has not named.
      redirectsMax: 0,
      signal,
    });
    return resultOf(answer, settings, now);
  } catch (error) {
    signal.throwIfAborted();
    const { message, code } = error as NodeJS.ErrnoException;
    if (error instanceof RefusedError) return { kind: 'fail', why: message };
    return { kind: 'retry', why: `the provider did not respond (${code ?? message})` };
  }
}

function resultOf(answer: HttpAnswer, { mapping, url }: ExternalSettings, now: Date): LookupResult {
  const { status, headers, body } = answer;
  if (passingStatuses.has(status) || status >= 500) {
    const afterMs = retryAfterMs(headers['retry-after'], now);
    return {
      kind: 'retry',
      why: `the provider responded with ${status}`,
      ...(afterMs === null ? {} : { afterMs }),
    };
  }
  if (status === 404 || status === 204) return { kind: 'none' };
  if (status !== 200) return { kind: 'fail', why: `the provider responded with ${status}` };
  if (body.kind === 'cut') return { kind: 'fail', why: 'the response is too large' };
  const document = parseJson(body.bytes);
  if (document === undefined) return { kind: 'fail', why: 'the response is not JSON' };
  const fields = Object.entries(mapping).flatMap(([path, place]): FieldValue[] => {
    const value = valueAt(document, place);
    if (value == null || enrichmentField(path) === null) return [];
    return [{ path, value, confidence, method: 'external', source: new URL(url).origin }];
  });
  return fields.length === 0 ? { kind: 'none' } : { kind: 'found', fields };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(textDecoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** `data.names.0` is the first element of `names`. Properties from the prototype do not count. */
function valueAt(document: unknown, place: string): unknown {
  let value = document;
  for (const step of place.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

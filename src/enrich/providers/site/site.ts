import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import { retryAfterMs } from '../../../net/retry-after.ts';
import type { HttpAnswer } from '../../../net/safe-http.ts';
import { RefusedError } from '../../../net/safe-http.ts';
import { dayMs, minuteMs } from '../../../time/clock.ts';
import type { LookupContext, LookupProvider, LookupResult } from '../provider.ts';
import { readPage } from './page.ts';
import { factsOfPage } from './page-facts.ts';

const bytesMax = 524_288;
const headMsMax = 3_000;
const busyStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The company's home page. Only the registrable domain comes from the lead, never a path or a port. */
export const site: LookupProvider = {
  id: 'site',
  version: providerVersions.site,
  phase: 'http',
  text: 'Home page of the company: title, description, structured data, logo and social pages.',
  timeoutMs: 5_000,
  perHostMax: 1,
  cacheMs: { found: 14 * dayMs, none: 2 * dayMs, fail: 10 * minuteMs },
  skip: ({ email, domain }) => {
    if (email === null && domain === null) return 'no_input';
    return domain === null ? 'free_mail' : null;
  },
  cacheKey: ({ domain }) => domain,
  host: ({ domain }) => domain ?? '',
  async ask({ domain }, context) {
    const bare = await visit(`https://${domain}/`, context);
    return bare.kind === 'found' ? bare : better(bare, await visit(`https://www.${domain}/`, context));
  },
};

/** Of two home pages, the one that has results; otherwise the one that may have some later. */
function better(first: LookupResult, second: LookupResult): LookupResult {
  const order = ['found', 'retry', 'none', 'fail'];
  return order.indexOf(second.kind) < order.indexOf(first.kind) ? second : first;
}

async function visit(url: string, { http, signal, now }: LookupContext): Promise<LookupResult> {
  try {
    const answer = await http.send({
      method: 'GET',
      url,
      headers: { accept: 'text/html,application/xhtml+xml;q=0.9', 'accept-language': 'en,*;q=0.5' },
      contentTypes: ['text/html', 'application/xhtml+xml'],
      bytesMax,
      redirectsMax: 3,
      headMsMax,
      signal,
    });
    return resultOf(answer, now);
  } catch (error) {
    signal.throwIfAborted();
    const { message, code } = error as NodeJS.ErrnoException;
    if (error instanceof RefusedError) return { kind: 'fail', why: message };
    return { kind: 'retry', why: `the site did not respond (${code ?? message})` };
  }
}

function resultOf({ status, headers, body, url }: HttpAnswer, now: Date): LookupResult {
  if (busyStatuses.has(status)) {
    const afterMs = retryAfterMs(headers['retry-after'], now);
    return {
      kind: 'retry',
      why: `the site responded with ${status}`,
      ...(afterMs === null ? {} : { afterMs }),
    };
  }
  if (status !== 200) return { kind: 'none' };
  const page = readPage(decode(body.bytes, headers['content-type'] ?? ''));
  const fields = factsOfPage(page, url);
  return fields.length === 0 ? { kind: 'none' } : { kind: 'found', fields };
}

/** Bytes that do not decode become replacement characters: they are no reason to reject a page. */
function decode(bytes: Buffer, contentType: string): string {
  const declared =
    /charset=["']?([\w-]{1,40})/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/i.exec(bytes.subarray(0, 2_048).toString('latin1'))?.[1];
  try {
    return new TextDecoder(declared ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}

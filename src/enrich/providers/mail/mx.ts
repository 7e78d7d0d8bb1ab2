import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import { type MailExchange, NameServiceError } from '../../../net/egress.ts';
import { dayMs, hourMs, minuteMs } from '../../../time/clock.ts';
import type { FieldValue, LookupContext, LookupProvider, LookupResult } from '../provider.ts';
import { mailGatewayOf, mailProviderOf, plainHost } from './mail-hosts.ts';
import { isThrowAwayServer } from './throw-away-servers.ts';

const recordsReadMax = 50;

/** How the domain of the address handles email, and whether it accepts any. */
export const mx: LookupProvider = {
  id: 'mx',
  version: providerVersions.mx,
  phase: 'dns',
  text: 'Mail provider of the domain, whether it accepts email, whether disposable email services use its mail server, and its SPF and DMARC policies.',
  timeoutMs: 2_000,
  perHostMax: 2,
  cacheMs: { found: dayMs, none: hourMs, fail: 10 * minuteMs },
  skip: ({ email, mailDomain }) => {
    if (mailDomain !== null) return null;
    return email === null ? 'no_input' : 'free_mail';
  },
  cacheKey: ({ mailDomain }) => mailDomain,
  host: ({ mailDomain }) => mailDomain ?? '',
  ask: async ({ mailDomain, domain }, context) => ask(mailDomain as string, domain as string, context),
};

async function ask(
  domain: string,
  registrable: string,
  { names, signal }: LookupContext,
): Promise<LookupResult> {
  try {
    // A domain without its own DMARC record follows its parent domain.
    const dmarcDomains = [...new Set([domain, registrable])];
    const [exchanges, texts, dmarcTexts] = await Promise.all([
      names.mailExchanges(domain, signal),
      names.texts(domain, signal),
      Promise.all(dmarcDomains.map((name) => names.texts(`_dmarc.${name}`, signal))).then((all) =>
        all.flat(),
      ),
    ]);
    // Without an MX record, email goes to the host itself (RFC 5321, 5.1).
    const addresses = exchanges.length === 0 ? await names.addresses(domain, signal) : [];
    const source = `dns:${domain}`;
    const facts = factsOf(exchanges, addresses.length > 0, texts, dmarcTexts);
    const fields = facts.map((fact): FieldValue => ({ method: 'dns', confidence: 0.95, source, ...fact }));
    return { kind: 'found', fields };
  } catch (error) {
    if (error instanceof NameServiceError) return { kind: 'retry', why: error.message };
    throw error;
  }
}

type Fact = Pick<FieldValue, 'path' | 'value'> & { readonly confidence?: number };

function factsOf(
  exchanges: readonly MailExchange[],
  hasAddress: boolean,
  texts: readonly string[],
  dmarcTexts: readonly string[],
): Fact[] {
  const hosts = exchanges
    .slice(0, recordsReadMax)
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ exchange }) => exchange);
  // A single MX record "." means that the domain accepts no email (RFC 7505).
  const isNull = hosts.length === 1 && (hosts[0] === '' || hosts[0] === '.');
  const takesMail = !isNull && (hosts.length > 0 || hasAddress);
  const facts: Fact[] = [
    { path: 'email.deliverability', value: takesMail ? 'likely' : 'undeliverable' },
    { path: 'company.mail.spf', value: spfPolicy(texts) },
    { path: 'company.mail.dmarc', value: dmarcPolicy(dmarcTexts) },
  ];
  const server = isNull ? undefined : hosts[0];
  if (server !== undefined) facts.push({ path: 'email.mail_server', value: plainHost(server) });
  // The preferred server decides: a backup server says little about the domain.
  if (server !== undefined && isThrowAwayServer(server))
    facts.push({ path: 'email.class', value: 'disposable_likely', confidence: 0.85 });
  const gateway = firstKnown(hosts, mailGatewayOf);
  if (gateway !== null) facts.push({ path: 'company.mail.gateway', value: gateway });
  const provider = firstKnown(hosts, mailProviderOf);
  const behind = provider ?? providerOfSpf(texts);
  if (behind !== null)
    facts.push({ path: 'company.mail.provider', value: behind, confidence: provider === null ? 0.6 : 0.95 });
  return facts;
}

function firstKnown(hosts: readonly string[], nameOf: (host: string) => string | null): string | null {
  for (const host of hosts) {
    const name = nameOf(host);
    if (name !== null) return name;
  }
  return null;
}

const spfOf = (texts: readonly string[]) => texts.find((text) => /^v=spf1(?: |$)/i.test(text)) ?? null;

function spfPolicy(texts: readonly string[]): string {
  const record = spfOf(texts);
  if (record === null) return 'none';
  const all = /(?:^|\s)([-~?+]?)all(?:\s|$)/i.exec(record)?.[1];
  if (all === undefined || all === '?') return 'neutral';
  return all === '-' ? 'fail' : all === '~' ? 'soft_fail' : 'pass_all';
}

function dmarcPolicy(texts: readonly string[]): string {
  const record = texts.find((text) => /^v=DMARC1/i.test(text));
  const policy = /;\s*p\s*=\s*(none|quarantine|reject)\b/i.exec(record ?? '')?.[1];
  return policy?.toLowerCase() ?? 'missing';
}

/** Behind a filter, the domain's SPF record shows the mailbox provider. */
function providerOfSpf(texts: readonly string[]): string | null {
  const includes = [...(spfOf(texts) ?? '').matchAll(/include:(\S+)/gi)].map((match) => match[1] as string);
  return firstKnown(includes.slice(0, recordsReadMax), mailProviderOf);
}

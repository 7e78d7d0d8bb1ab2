import { dailyLimitDefault } from '../../src/contract/enrichment/terms.ts';
import { enrichmentFields, type FieldType } from '../../src/domain/enrichment/fields.ts';
import { methods, phasesAllowed, skipReasons } from '../../src/domain/enrichment/vocabulary.ts';
import { attemptsMax } from '../../src/enrich/lookup/backoff.ts';
import { publicProviders } from '../../src/enrich/lookup/plan.ts';
import { builtinProviders } from '../../src/enrich/providers/builtin/builtin.ts';
import { externalDescription } from '../../src/enrich/providers/external/external.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/time/clock.ts';

const typeTexts: Record<Extract<FieldType, string>, string> = {
  text: 'text',
  link: 'http(s) URL',
  country: 'ISO 3166-1 code',
  flag: 'true or false',
  texts: 'list of texts',
};

const typeText = (type: FieldType) =>
  typeof type === 'string' ? typeTexts[type] : type.map((word) => `\`${word}\``).join(', ');

function duration(ms: number): string {
  for (const [unit, length] of [
    ['d', dayMs],
    ['h', hourMs],
    ['min', minuteMs],
  ] as const)
    if (ms % length === 0) return `${ms / length} ${unit}`;
  return `${ms / secondMs} s`;
}

const rows = (lines: string[][]) => lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const builtinRows = builtinProviders.map(({ id, text }) => [`\`${id}\``, text]);
const lookupRows = [...publicProviders, externalDescription].map(
  ({ id, phase, text, timeoutMs, cacheMs }) => [
    `\`${id}\``,
    phase,
    text,
    duration(timeoutMs),
    `${duration(cacheMs.found)} / ${duration(cacheMs.none)} / ${duration(cacheMs.fail)}`,
  ],
);
const fieldRows = enrichmentFields.map(({ path, type, text }) => [`\`${path}\``, typeText(type), text]);
const methodRows = Object.entries(methods).map(([method, text]) => [`\`${method}\``, text]);
const skipRows = Object.entries(skipReasons).map(([reason, text]) => [`\`${reason}\``, text]);
const networkRows = Object.entries(phasesAllowed).map(([mode, phases]) => [`\`${mode}\``, phases.join(', ')]);

/** docs/enrichment.md: its tables come from the code. */
export const enrichmentPage = () => `# Enrichment

Clean leads are enriched after they are accepted; enrichment never delays the \`202\`. It never changes what the person typed: its results are in \`enrichment\`, next to the
fields of the lead.

## Phases

A lead counts as *enriched* once the built-in providers have run; they need only the lead. All others use the network, so they are off until the operator sets
\`ENRICH_NETWORK\`:

| \`ENRICH_NETWORK\` | Phases that run |
|---|---|
${rows(networkRows)}

Providers that do not run are recorded as skipped. \`status\` is \`builtin_only\` if no other provider had to be asked, \`complete\` if all of them have responded, \`partial\` while a
response is missing or if one failed, and \`failed\` if the lead could not be read.

## Built-in providers

| Provider | Provides |
|---|---|
${rows(builtinRows)}

## Network providers

| Provider | Phase | Provides | Timeout | Cached if found / empty / failed |
|---|---|---|---|---|
${rows(lookupRows)}

They are asked phase by phase: DNS first, because its result may end the enrichment (see *A second look*), then home pages and the external provider. A provider that needs a retry does
not hold up the next.

Each has one outcome: \`found\`, \`none\` (it looked and found nothing), \`skip\` (it is not asked), \`retry\` (it will be asked again) or \`fail\`; until it is asked, it is \`pending\`.
\`why\` gives the reason for a \`skip\`:

| \`why\` | Meaning |
|---|---|
${rows(skipRows)}

Only a provider that requests a retry is asked again, up to ${attemptsMax} times in total, with growing delays and never before the time in its \`Retry-After\`. Results of the other
providers are available in the meantime.

Results are cached per domain, so that many leads from one company cost one lookup. Results of DNS and home pages are shared by all workspaces, those of an external provider stay in its
workspace, and results about a person are not cached.

When a provider has a new version, it is asked again about leads that are enriched again: when someone opens a lead that an earlier version enriched, and when someone marks a lead as not spam.

## A second look

Disposable email services change their domains faster than lists can follow, but rarely their mail servers. If \`mx\` finds that an address uses one of those servers,
\`email.class\` becomes \`disposable_likely\` and the lead is scored again: the rule \`EMAIL_DISPOSABLE_MX\` is added to the original findings, with the current points, caps, thresholds and
allow list of the form. Under the default rules, a clean lead becomes \`suspect\`. Score, grade and risk are recalculated, so the points of the reasons still add up to the risk.

\`second_look\` of the lead shows when that happened and what the verdict was before; its history shows both. Results are kept. Providers that were not asked yet are skipped
(\`skip\`, \`policy\`), unless someone marks the lead as not spam. A marked lead gets no second look. To turn the second look off for a form, turn off the rule.

What DNS says about such a domain is remembered for 30 days, for all workspaces, because anyone can look it up: only the domain and its mail server are stored. The next leads of the
domain get the rule when they come in. Without lookups (\`ENRICH_NETWORK=off\`) nothing is remembered or applied.

A domain that declares that it accepts no email (a null MX record) is \`undeliverable\`; that does not change the verdict.

## Fields

| Field | Type | Meaning |
|---|---|---|
${rows(fieldRows)}

## Provenance

For each field, \`provenance\` shows the provider, the method, the confidence from 0 to 1, and where and when the value was found; \`alternatives\` has the values of other providers.
If providers differ, the method higher in this table wins; within a method, the higher confidence wins.

| Method | Meaning |
|---|---|
${rows(methodRows)}

## Your own provider

An owner can set up one HTTP JSON service per workspace:

\`\`\`http
PUT /api/v1/workspaces/{workspace_id}/enrichment-provider

{"url": "https://api.example.com/companies", "header_name": "Authorization", "header_value": "Bearer …",
 "mapping": {"company.name": "data.name", "company.city": "data.address.city"}}
\`\`\`

It receives a \`POST\` with \`{"domain":"acme.com"}\`; the email address of the person is added as \`email\` only if the owner sets \`"send": "email"\`. The request has the header above
and is signed like webhooks to Leadgate: \`X-SVC-Timestamp\`, and \`X-SVC-Signature\` with the HMAC-SHA256 of \`{timestamp}.{body}\`. The signing secret is generated and shown once,
unless the owner sends \`signing_secret\`. The service responds with \`200\` and up to 256 KB of JSON, or with \`404\` if it knows nothing; \`408\`, \`425\`, \`429\` and \`5xx\` are retried.
\`mapping\` says where in the response to find the value of each field.

\`daily_limit\` is the number of requests per day, ${dailyLimitDefault.toLocaleString('en')} by default. The database counts them exactly, across all instances; a day starts at midnight UTC. Every
request counts, including retries; cached results are free. Once the limit is reached, leads are enriched without the provider (\`skip\`, \`budget\`). \`used_today\` and \`resets_at\` show what is left,
as does *Enrichment* in the settings area, where you can also set up the provider. Changing only the limit keeps cached results.

Both secrets are stored encrypted. Only a generated signing secret is shown, once. A secret that is omitted from a later \`PUT\` is kept as long as the URL stays on the same host: a secret is never sent to another host.

## What it may reach

Enrichment connects only over http and https on their default ports, to hosts under a public suffix and public IP addresses. A name is resolved once per hop; if any of its addresses is not public, nothing is sent;
the connection goes to the address that was checked. Up to three redirects are followed, each checked in the same way and never from https to http; an external provider may not redirect at
all. Up to 512 KB of a home page are read, counted after decompression. Cookies, proxies and scripts are not used; logos are linked, not fetched. From a lead, only the registrable domain
is used, never a path or a port.
`;

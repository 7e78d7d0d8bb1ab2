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
  link: 'http(s) address',
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

Clean leads are enriched after they were accepted, never before, and never on the way to the \`202\`. What the person typed
is never changed: enrichment stands beside the fields of the lead, in \`enrichment\`.

## Phases

A lead is *enriched* as soon as the built-in providers have run, which need nothing but the lead. The others reach out, so
they are off until the operator sets \`ENRICH_NETWORK\`:

| \`ENRICH_NETWORK\` | Phases that run |
|---|---|
${rows(networkRows)}

What does not run is recorded as skipped. \`status\` is \`builtin_only\` when nobody else was to be asked, \`complete\` when
all who were asked have answered, \`partial\` while an answer is missing or when one could not be had, and \`failed\` when
the lead could not be read.

## Built-in providers

| Provider | Says |
|---|---|
${rows(builtinRows)}

## Providers that reach out

| Provider | Phase | Says | Time allowed | Kept when found / nothing there / failed |
|---|---|---|---|---|
${rows(lookupRows)}

They are asked phase by phase: the name servers first, because what they say may end the enrichment (see *A second look*), then
home pages and the owner's provider. One that has no answer yet does not hold up the next.

Each ends with one outcome: \`found\`, \`none\` (it looked, and there is nothing), \`skip\` (it is not asked), \`retry\` (it is
asked again later) or \`fail\`; before it is asked it is \`pending\`. \`why\` gives the reason of a \`skip\`:

| \`why\` | Meaning |
|---|---|
${rows(skipRows)}

Only a provider that asks for another try is asked again, up to ${attemptsMax} times in all, later each time and never
before the time it names in \`Retry-After\`; what the others found is there meanwhile.

Answers are kept per domain, so that many leads from one company cost one question. What name servers and home pages say is
kept for all workspaces, what an owner's provider says for that workspace only, and nothing is kept that was asked about a person.

A provider whose version has grown is asked anew about leads that are enriched anew: when a lead is opened whose enrichment an
earlier version has made, and when one is released.

## A second look

Throw-away services change their domains faster than lists follow, but hardly their mail servers. When \`mx\` finds that mail to an
address goes to one of those, \`email.class\` becomes \`disposable_likely\` and the lead is judged once more: the rule
\`EMAIL_DISPOSABLE_MX\` is added to the findings from when it came in, with the points, caps, thresholds and allow list that its form has
by then. With the rules as they are made, a clean lead becomes \`suspect\`. Score, grade and risk are added up anew, so the points of the
reasons are still the risk.

\`second_look\` of the lead says when that was and what the verdict was before; its history has both. What was found out stays; who was
not asked yet is not asked any more (\`skip\`, \`policy\`), unless an owner releases the lead. A lead that an owner has marked is not
looked at again. A form switches the second look off by switching the rule off.

A domain that declares to take no mail (a null MX) is \`undeliverable\`; that changes no verdict.

## Fields

| Field | Type | Meaning |
|---|---|---|
${rows(fieldRows)}

## Provenance

\`provenance\` names for each field the provider, the method, the confidence from 0 to 1, where and when it was found, and
under \`alternatives\` what others said. Where providers differ, the method that stands higher in this table wins; within
one method, the higher confidence.

| Method | Meaning |
|---|---|
${rows(methodRows)}

## Your own provider

An owner can name one HTTP JSON service per workspace:

\`\`\`http
PUT /api/v1/workspaces/{workspace_id}/enrichment-provider

{"url": "https://api.example.com/companies", "header_name": "Authorization", "header_value": "Bearer …",
 "mapping": {"company.name": "data.name", "company.city": "data.address.city"}}
\`\`\`

It gets a \`POST\` with \`{"domain":"acme.com"}\`, and with the address of the person as \`email\` only if the owner sets
\`"send": "email"\`. The request carries the header above and is signed as webhooks to Leadgate are: \`X-SVC-Timestamp\`,
and \`X-SVC-Signature\`, the HMAC-SHA256 of \`{timestamp}.{body}\` under the signing secret, which is made and shown once
unless the owner sends \`signing_secret\`. It answers \`200\` with JSON of at most 256 KB, or \`404\` when it knows nothing;
\`408\`, \`425\`, \`429\` and \`5xx\` are tried again. \`mapping\` says where in the answer the value of a field stands.

\`daily_limit\` is how many questions it may be asked per day, ${dailyLimitDefault.toLocaleString('en')} unless the owner says otherwise. It is counted in the database, exactly, over all
instances; a day begins at midnight in UTC. Each request counts, also one that is tried again; answers that were kept are free. When it is used
up, leads are enriched without the provider (\`skip\`, \`budget\`). \`used_today\` and \`resets_at\` show what is left; the settings area shows
it under *Enrichment*, where the provider is set up too. A change of the limit alone keeps the answers that are kept.

Both secrets are stored encrypted and are never shown. One that is left out of a later \`PUT\` stays, as long as the address
stays on the same host: a secret is never sent to a host it was not given for.

## What it may reach

Only http and https on their own ports, hosts below a public suffix, and public addresses. A name is resolved once per
hop; if any of its addresses is not public, nothing is sent; the connection goes to the address that was checked. At most
three redirects are followed, each checked in the same way and none from https to http; an owner's provider may not
redirect at all. Of a home page at most 512 KB are read, counted after decompression. No cookies, no proxy, no scripts, and
logos are named but not fetched. From a lead comes only the registrable domain, never a path or a port.
`;

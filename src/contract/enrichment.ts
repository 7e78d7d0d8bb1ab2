import { z } from 'zod';
import { type EnrichmentField, enrichmentFields } from '../domain/enrichment/fields.ts';
import {
  enrichmentStatuses,
  type Method,
  methods,
  networkModes,
  phases,
  providerOutcomes,
} from '../domain/enrichment/vocabulary.ts';
import { call, json, none } from './call.ts';
import { dailyLimitDefault, dailyLimitMax } from './enrichment/terms.ts';
import { exactText, strict, time } from './shape.ts';

const methodNames = Object.keys(methods) as [Method, ...Method[]];
const confidence = z.number().describe('From 0 to 1.');

const said = { provider: z.string(), method: z.enum(methodNames), confidence };
const provenance = z
  .object({
    ...said,
    source: z.string().optional().describe('Where it was read.'),
    observed_at: time.optional().describe('When it was found, if not when the lead was enriched.'),
    alternatives: z
      .array(z.object({ value: z.unknown(), ...said }))
      .optional()
      .describe('What others said, the most trusted first.'),
  })
  .meta({ id: 'Provenance' });

const providerReport = z
  .object({
    id: z.string(),
    phase: z.enum(phases),
    version: z.int().nullable(),
    outcome: z.enum(providerOutcomes),
    why: z.string().optional(),
    attempts: z.int().optional(),
    ms: z.int().optional(),
    cached: z.boolean().optional(),
  })
  .meta({ id: 'ProviderReport' });

type Branch = Map<string, Branch | EnrichmentField>;

/** The groups of fields, made from the table: what it does not list, a lead does not have. */
function groups(): Record<string, z.ZodOptional> {
  const tree: Branch = new Map();
  for (const field of enrichmentFields) {
    const parts = field.path.split('.');
    let branch = tree;
    for (const part of parts.slice(0, -1)) {
      const next = branch.get(part);
      const inner: Branch = next instanceof Map ? next : new Map();
      branch.set(part, inner);
      branch = inner;
    }
    branch.set(parts.at(-1) as string, field);
  }
  return membersOf(tree);
}

function membersOf(branch: Branch): Record<string, z.ZodOptional> {
  return Object.fromEntries(
    [...branch].map(([name, node]) => [
      name,
      (node instanceof Map ? z.object(membersOf(node)) : typeOf(node).describe(node.text)).optional(),
    ]),
  );
}

function typeOf({ type }: EnrichmentField): z.ZodType {
  if (type === 'flag') return z.boolean();
  if (type === 'texts') return z.array(z.string());
  return typeof type === 'string' ? z.string() : z.enum(type as [string, ...string[]]);
}

export const enrichment = z
  .looseObject({
    enriched_at: time,
    schema: z.literal(1),
    status: z
      .enum(enrichmentStatuses)
      .describe('`builtin_only` when nobody else was to be asked; `partial` while an answer is missing.'),
    ...groups(),
    provenance: z.record(z.string(), provenance).describe('By the path of a field, such as `company.name`.'),
    providers: z.array(providerReport),
  })
  .meta({ id: 'Enrichment' });

const paths = enrichmentFields.map(({ path }) => path);
const placeShape = /^[\w-]{1,64}(?:\.[\w-]{1,64}){0,9}$/;
const mappingMax = 50;

const url = z
  .string()
  .max(2_000)
  .regex(/^https:\/\//i, 'must start with https://')
  .describe('Gets a POST with a JSON body for each company.');

const mapping = z
  .record(z.string(), z.string().regex(placeShape, 'use names joined by dots, such as data.name'))
  .superRefine((map, context) => {
    const keys = Object.keys(map);
    for (const key of keys.filter((key) => !paths.includes(key)))
      context.addIssue({ code: 'custom', path: [key], message: 'is not a field of an enrichment' });
    if (keys.length === 0 || keys.length > mappingMax)
      context.addIssue({ code: 'custom', message: `name 1 to ${mappingMax} fields` });
  })
  .describe('From a field of ours to the place of its value in the answer: `{"company.name": "data.name"}`.');

const send = z
  .enum(['domain', 'email'])
  .describe('What the provider is told: the domain of the company, or the e-mail address as well.');

// These would change what the request is, and the service sets them itself.
const ownHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|accept.*|upgrade|te|trailer|expect|proxy-.*|user-agent|cookie)$/i;

const dailyLimit = z
  .int()
  .min(0)
  .max(dailyLimitMax)
  .describe('How many questions it may be asked per day, in UTC, over all instances; 0 to ask none.');

const newEnrichmentProvider = strict({
  url,
  send: send.default('domain'),
  header_name: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'use letters, digits and hyphens')
    .refine((name) => !ownHeaders.test(name), 'is a header that the service sets itself')
    .nullable()
    .optional()
    .describe('The header that carries your key, such as `Authorization`.'),
  header_value: z
    .string()
    .regex(/^[!-~](?:[ -~]{0,998}[!-~])?$/, 'use printable ASCII characters without blanks at the ends')
    .optional()
    .describe('Its value. It is kept encrypted and never shown; without it the one set before stays.'),
  signing_secret: exactText(256, 8)
    .optional()
    .describe('Signs each request. Kept encrypted; without it the one set before stays, or one is made.'),
  mapping,
  daily_limit: dailyLimit.default(dailyLimitDefault),
}).meta({ id: 'NewEnrichmentProvider' });

const enrichmentProvider = z
  .object({
    url: z.string(),
    send,
    header_name: z.string().nullable(),
    header_value_set: z.boolean(),
    mapping: z.record(z.string(), z.string()),
    daily_limit: dailyLimit,
    used_today: z
      .int()
      .describe(
        'Questions asked since the day began. Answers that were kept from earlier questions are free.',
      ),
    resets_at: time.describe('When the next day begins.'),
    updated_at: time,
    signing_secret: z
      .string()
      .optional()
      .describe('Only when it was made just now, and only in this answer.'),
  })
  .meta({ id: 'EnrichmentProvider' });

const enrichmentSettings = z
  .object({
    network: z
      .enum(networkModes)
      .describe('How far the operator lets enrichment reach: a provider is only asked with `full`.'),
    provider: enrichmentProvider.nullable().describe('Null when none is set up.'),
  })
  .meta({ id: 'EnrichmentSettings' });

export type EnrichmentSettings = z.output<typeof enrichmentSettings>;
export type NewEnrichmentProvider = z.output<typeof newEnrichmentProvider>;
export type EnrichmentProvider = z.output<typeof enrichmentProvider>;

export const readEnrichment = call({
  method: 'get',
  path: '/workspaces/:workspace_id/enrichment',
  tag: 'Enrichment',
  summary: 'Read the enrichment settings of a workspace',
  access: { by: 'owner' },
  answer: json(200, enrichmentSettings),
});

export const readEnrichmentProvider = call({
  method: 'get',
  path: '/workspaces/:workspace_id/enrichment-provider',
  tag: 'Enrichment',
  summary: 'Read the enrichment provider of a workspace',
  access: { by: 'owner' },
  answer: json(200, enrichmentProvider),
});

export const setEnrichmentProvider = call({
  method: 'put',
  path: '/workspaces/:workspace_id/enrichment-provider',
  tag: 'Enrichment',
  summary: 'Set the enrichment provider of a workspace',
  description: [
    'Asked about the companies of clean leads, when the service runs with `ENRICH_NETWORK=full`. Secrets can be written',
    'but not read. A secret that is left out stays as it is, as long as the address stays on the same host. What it was asked',
    'today counts against `daily_limit`, also when the limit or the provider is changed.',
  ].join(' '),
  access: { by: 'owner' },
  body: newEnrichmentProvider,
  answer: json(200, enrichmentProvider),
});

export const removeEnrichmentProvider = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/enrichment-provider',
  tag: 'Enrichment',
  summary: 'Remove the enrichment provider of a workspace',
  description: 'What it has said about leads stays with them.',
  access: { by: 'owner' },
  answer: none,
});

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
    source: z.string().optional().describe('Where the value was found.'),
    observed_at: time.optional().describe('When the value was found, if not when the lead was enriched.'),
    alternatives: z
      .array(z.object({ value: z.unknown(), ...said }))
      .optional()
      .describe('Values from other providers, most trusted first.'),
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

/** The groups of fields, built from the table of fields. */
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
      .describe('`builtin_only` if no other provider was asked; `partial` while a response is missing.'),
    ...groups(),
    provenance: z.record(z.string(), provenance).describe('Keyed by field path, such as `company.name`.'),
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
  .describe('Receives a POST with a JSON body for each company.');

const mapping = z
  .record(z.string(), z.string().regex(placeShape, 'use names separated by dots, such as data.name'))
  .superRefine((map, context) => {
    const keys = Object.keys(map);
    for (const key of keys.filter((key) => !paths.includes(key)))
      context.addIssue({ code: 'custom', path: [key], message: 'is not an enrichment field' });
    if (keys.length === 0 || keys.length > mappingMax)
      context.addIssue({ code: 'custom', message: `map 1 to ${mappingMax} fields` });
  })
  .describe('Maps enrichment fields to paths in the response: `{"company.name": "data.name"}`.');

const send = z
  .enum(['domain', 'email'])
  .describe('What the provider receives: the company domain, or the email address as well.');

// They shape the request, so only the service may set them.
const ownHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|accept.*|upgrade|te|trailer|expect|proxy-.*|user-agent|cookie)$/i;

const dailyLimit = z
  .int()
  .min(0)
  .max(dailyLimitMax)
  .describe('Requests per UTC day, across all instances; 0 to send none.');

const newEnrichmentProvider = strict({
  url,
  send: send.default('domain'),
  header_name: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'use letters, digits and hyphens')
    .refine((name) => !ownHeaders.test(name), 'is a header that the service sets')
    .nullable()
    .optional()
    .describe('The header that carries your key, such as `Authorization`.'),
  header_value: z
    .string()
    .regex(/^[!-~](?:[ -~]{0,998}[!-~])?$/, 'use printable ASCII characters without spaces at the ends')
    .optional()
    .describe(
      'The value of the header. Stored encrypted and never shown. If left out, the current value stays.',
    ),
  signing_secret: exactText(256, 8)
    .optional()
    .describe(
      'Signs each request. Stored encrypted. If left out, the current secret stays, or a new one is generated.',
    ),
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
    used_today: z.int().describe('Requests sent since the day began. Cached responses do not count.'),
    resets_at: time.describe('When the next day begins.'),
    updated_at: time,
    signing_secret: z.string().optional().describe('Only in the response that generated it.'),
  })
  .meta({ id: 'EnrichmentProvider' });

const enrichmentSettings = z
  .object({
    network: z
      .enum(networkModes)
      .describe('The network access that the operator allows. Providers are asked only with `full`.'),
    provider: enrichmentProvider.nullable().describe('Null if none is set up.'),
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
  access: { by: 'owner', scope: 'forms:read' },
  secret: true,
  answer: json(200, enrichmentSettings),
});

export const readEnrichmentProvider = call({
  method: 'get',
  path: '/workspaces/:workspace_id/enrichment-provider',
  tag: 'Enrichment',
  summary: 'Read the enrichment provider of a workspace',
  access: { by: 'owner', scope: 'forms:read' },
  secret: true,
  answer: json(200, enrichmentProvider),
});

export const setEnrichmentProvider = call({
  method: 'put',
  path: '/workspaces/:workspace_id/enrichment-provider',
  tag: 'Enrichment',
  summary: 'Set the enrichment provider of a workspace',
  description: [
    'The service asks the provider about the companies of clean leads if it runs with `ENRICH_NETWORK=full`. Secrets can be',
    'written but not read. A secret that is left out stays the same if the URL stays on the same host. Requests already sent',
    'today count against `daily_limit`, even after you change the limit or the provider.',
  ].join(' '),
  access: { by: 'owner', scope: ['forms:write', 'leads:read'] },
  gives: 'secret',
  body: newEnrichmentProvider,
  secret: true,
  answer: json(200, enrichmentProvider),
});

export const removeEnrichmentProvider = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/enrichment-provider',
  tag: 'Enrichment',
  summary: 'Remove the enrichment provider of a workspace',
  description: 'Leads keep the data that it provided.',
  access: { by: 'owner', scope: 'forms:write' },
  answer: none,
});

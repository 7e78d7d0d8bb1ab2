import { z } from 'zod';
import { checkCodes } from '../domain/signature-debug/check-codes.ts';
import { languages } from '../domain/signature-debug/fix-lines.ts';
import { mistakeCodes } from '../domain/signature-debug/mistakes.ts';
import { call, json } from './call.ts';
import { id, strict, time, timeInput } from './shape.ts';

// The same as in domain/lead/lead.ts, which does not run in a browser.
const bodyBytesMax = 131_072;
const headerCharactersMax = 1_000;
const pasteCharactersMax = 400_000;
const sizeRule = `must have at most ${bodyBytesMax} bytes, the limit for a lead`;
const base64Shape = /^[A-Za-z0-9+/_-]*={0,2}$/;

const bodyText = z
  .string()
  .refine((text) => text.isWellFormed(), 'contains half a character; send the bytes as body_base64')
  .refine((text) => new TextEncoder().encode(text).length <= bodyBytesMax, sizeRule);
const bodyBase64 = z
  .string()
  .refine((text) => base64Shape.test(text), 'is not base64')
  .refine((text) => Math.floor((text.replace(/=+$/, '').length * 3) / 4) <= bodyBytesMax, sizeRule);
const header = z.string().max(headerCharactersMax);

/** The members that identify the request. */
const ways = 'rejection_id, raw_request, curl, or body (or body_base64) with timestamp and signature';

const signatureDebugRequest = strict({
  timestamp: header.optional().describe('The value of the timestamp header. Leave out if it was not sent.'),
  signature: header.optional().describe('The value of the signature header. Leave out if it was not sent.'),
  body: bodyText
    .optional()
    .describe('The body as text. With `rejection_id`: the body that the sender claims to have sent.'),
  body_base64: bodyBase64.optional().describe('The body as base64, if it is not text or every byte matters.'),
  content_type: header.optional(),
  raw_request: z
    .string()
    .min(1)
    .max(pasteCharactersMax)
    .optional()
    .describe('A complete HTTP request: request line, headers, empty line, body.'),
  curl: z
    .string()
    .min(1)
    .max(pasteCharactersMax)
    .optional()
    .describe('A curl command with its actual values.'),
  rejection_id: id
    .optional()
    .describe('The ID of a diagnostics entry about a rejected signature or timestamp.'),
  try_secret: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('The secret that the sender uses, if you know it. It is tried, but not stored.'),
  received_at: timeInput
    .optional()
    .describe(
      'When the request arrived. Default: the time of the rejection, or the `Date` header of a pasted request, or now.',
    ),
})
  .superRefine((request, context) => {
    const error = wayError(request);
    if (error !== null) context.addIssue({ code: 'custom', path: error.path, message: error.message });
  })
  .meta({ id: 'SignatureDebugRequest' });

interface Way {
  readonly timestamp?: string | undefined;
  readonly signature?: string | undefined;
  readonly body?: string | undefined;
  readonly body_base64?: string | undefined;
  readonly content_type?: string | undefined;
  readonly raw_request?: string | undefined;
  readonly curl?: string | undefined;
  readonly rejection_id?: string | undefined;
}

/** There must be exactly one request to debug. */
function wayError(way: Way): { readonly path: string[]; readonly message: string } | null {
  const wholes = (['rejection_id', 'raw_request', 'curl'] as const).filter((name) => way[name] !== undefined);
  const parts = (['timestamp', 'signature', 'content_type'] as const).filter(
    (name) => way[name] !== undefined,
  );
  const bodies = (['body', 'body_base64'] as const).filter((name) => way[name] !== undefined);
  if (wholes.length > 1) return { path: [wholes[1] as string], message: `send only one of ${ways}` };
  if (bodies.length > 1) return { path: ['body_base64'], message: 'send body or body_base64, not both' };
  const [whole] = wholes;
  if (whole === undefined) {
    return bodies.length === 1 ? null : { path: [], message: `send one of ${ways}` };
  }
  const foreign = whole === 'rejection_id' ? parts : [...parts, ...bodies];
  return foreign.length === 0
    ? null
    : { path: [foreign[0] as string], message: `is already part of ${whole}` };
}

const check = z.object({
  code: z.enum(checkCodes),
  status: z.enum(['passed', 'failed', 'not_reached']),
  text: z.string(),
});

const mistake = z.object({
  code: z.enum(mistakeCodes),
  title: z.string(),
  text: z.string().describe('What this request did.'),
  fix: z.string(),
});

const excerpt = z.object({ bytes: z.int(), hex: z.string(), text: z.string() });

const signatureDebug = z
  .object({
    valid: z.boolean(),
    verdict: z.string().describe('One or two sentences for people to read.'),
    source: z.enum(['parts', 'raw_request', 'curl', 'rejection']),
    judged_at: time.describe('The time that the timestamp was compared to.'),
    judged_by: z
      .enum(['rejection', 'received_at', 'date_header', 'now'])
      .describe('Where `judged_at` comes from. A `Date` header was written by the clock of the sender.'),
    request_id: id.nullable().describe('The ID that the sender got with the response; null if pasted.'),
    checks: z.array(check).describe('In the order in which the service runs them.'),
    mistake: mistake
      .nullable()
      .describe('The mistake to fix first; null if nothing that was tried explains the signature.'),
    further_mistakes: z.array(mistake),
    fix: z
      .object({
        text: z.string(),
        code: z.object(
          Object.fromEntries(languages.map((name) => [name, z.string()])) as Record<
            (typeof languages)[number],
            z.ZodString
          >,
        ),
      })
      .nullable(),
    string_to_sign: z.object({
      text: z.string().describe('Invisible characters are named in angle brackets: ⟨LF⟩.'),
      is_cut: z.boolean().describe('True if only the beginning is shown.'),
      bytes: z.int(),
      body_bytes: z.int().describe('How many of them are the body.'),
      first_bytes_hex: z.string(),
      last_bytes_hex: z.string(),
    }),
    signature: z
      .object({ shortened: z.string(), characters: z.int(), is_upper_case: z.boolean() })
      .nullable()
      .describe('The signature that was received. The expected one is never shown.'),
    clock: z
      .object({
        timestamp: time.nullable(),
        drift_seconds: z.int().describe("Positive if the sender's clock is ahead."),
        tolerance_seconds: z.int(),
        within_tolerance: z.boolean(),
        text: z.string(),
      })
      .nullable(),
    difference: z
      .object({ offset: z.int(), arrived: excerpt, signed: excerpt })
      .nullable()
      .describe(
        'Where the signed body first differs from the one that arrived, if the signed body is known.',
      ),
    attempts: z.int().describe('How many ways of signing were tried.'),
  })
  .meta({ id: 'SignatureDebug' });

/** As sent. */
export type SignatureDebugInput = z.input<typeof signatureDebugRequest>;
export type SignatureDebugRequest = z.output<typeof signatureDebugRequest>;
export type SignatureDebugAnswer = z.output<typeof signatureDebug>;

export const debugSignature = call({
  method: 'post',
  path: '/workspaces/:workspace_id/forms/:form_id/signature-debug',
  tag: 'Diagnostics',
  summary: 'Debug a signature',
  operation: 'findOutWhatIsWrongWithASignature',
  description: [
    'Takes a request in parts, as raw HTTP, as a curl command or by the ID of a rejection, and tries known signing mistakes',
    'until one produces the signature that was sent. It never shows the expected signature. Each use is logged. With',
    '`rejection_id` it shows the beginning of a body, so an API key also needs `leads:read`.',
  ].join(' '),
  access: { by: 'owner', scope: 'diagnostics:read' },
  secret: true,
  expensive: 'call',
  body: signatureDebugRequest,
  answer: json(200, signatureDebug),
  problems: ['request_not_kept', 'secret_unreadable', 'too_many_calls'],
});

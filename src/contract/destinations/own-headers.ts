import { z } from 'zod';
import { destinationLimits } from '../../domain/destination/destination.ts';
import { ownHeaderErrors, ownHeadersError } from '../../domain/destination/request/own-headers.ts';
import { isWebhookSecret, webhookSecretRule } from '../../domain/destination/request/webhook-secret.ts';

/** Values can be written, but not read. */
export const newHeaders = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    const whole = ownHeadersError(headers);
    if (whole !== null) context.addIssue({ code: 'custom', message: whole });
    for (const [name, message] of ownHeaderErrors(headers))
      context.addIssue({ code: 'custom', path: [name], message });
  })
  .describe(
    `Up to ${destinationLimits.ownHeaders} headers that each request gets, such as \`{"X-Api-Key": "…"}\`. Their values are encrypted and never shown. A change replaces all of them.`,
  );

export const ownSecret = z
  .string()
  .refine(isWebhookSecret, webhookSecretRule)
  .describe('`whsec_` and 24 to 64 bytes in base64. If left out, one is generated.');

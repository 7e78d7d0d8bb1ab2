import { z } from 'zod';
import type { CaptchaProvider } from './domain/browser/protection.ts';
import { keyCharactersMin } from './key-files.ts';

/** What variables of the configuration can be. */
export const processRoles = ['all', 'ingest', 'manage', 'enrich', 'deliver'] as const;
export type ProcessRole = (typeof processRoles)[number];

export const deliverNetworks = ['off', 'public'] as const;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const switches = ['on', 'off'] as const;

export const secretText = z
  .string()
  .min(keyCharactersMin, `must have ${keyCharactersMin} characters or more`)
  .optional();
export const port = z.coerce.number('must be a port number').int().min(0).max(65_535);
export const bytes = z.coerce.number('must be a number of bytes').int().min(0);
export const deadlineMs = z.coerce
  .number('must be a number of milliseconds')
  .int()
  .min(50, 'must be 50 or more')
  .max(10_000, 'must be 10000 or less');
export const proxyCount = z.coerce
  .number('must be a number of proxies')
  .int()
  .min(0)
  .max(10, 'must be 10 or less');

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must start with http:// or https://' });

/** Where the two services confirm visitors of web pages. */
export type CaptchaUrls = Readonly<Record<CaptchaProvider, string>>;
export const captchaUrlsDefault: CaptchaUrls = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
};

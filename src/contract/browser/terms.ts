import { normalOrigin } from '../../domain/browser/origin.ts';
import { isCaptcha, type Protection, tokenSeconds } from '../../domain/browser/protection.ts';

/** What the settings area needs of web pages, without the schemas. */
export { isCaptcha, normalOrigin, type Protection, tokenSeconds };

export const originRule =
  'must be an origin such as https://www.example.com, or https://*.example.com for one label; without path';

import type { IncomingMessage } from 'node:http';
import { type HeaderValue, repeated } from '../../headers.ts';

/** What only browsers send. Read on the browser surface alone, so that the others pay nothing for it. */
export interface PageHeaders {
  readonly origin: HeaderValue;
  /** The brands that the browser says it has. */
  readonly brands: HeaderValue;
}

export function readPageHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): PageHeaders {
  let origin: HeaderValue;
  let brands: HeaderValue;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    const value = rawHeaders[at + 1] as string;
    if (name === 'origin') origin = origin === undefined ? value : repeated;
    else if (name === 'sec-ch-ua') brands = brands === undefined ? value : repeated;
  }
  return { origin, brands };
}

/** True for a browser without a window, which no visitor has. */
export function hasHeadlessBrand({ brands }: PageHeaders): boolean {
  return typeof brands === 'string' && /headless/i.test(brands);
}

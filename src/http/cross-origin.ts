import type { ServerResponse } from 'node:http';

/**
 * Any page may read the responses of the browser surface: they are the same for every page, and no cookie is accepted
 * there. What a page may do depends on the Origin header of its request, not on what it may read.
 */
const readableHeaders = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'X-Request-Id'],
] as const;

const preflightHeaders = [
  ['Access-Control-Allow-Methods', 'POST'],
  ['Access-Control-Allow-Headers', 'authorization, content-type'],
  ['Access-Control-Max-Age', '600'],
] as const;

/** Before anything else is done with the request, so that no response can be without it. */
export function letPagesRead(response: ServerResponse): void {
  for (const [name, value] of readableHeaders) response.setHeader(name, value);
}

/** The same for every path, form and origin, whether they exist or not. */
export function answerPreflight(response: ServerResponse): void {
  for (const [name, value] of preflightHeaders) response.setHeader(name, value);
  response.writeHead(204).end();
}

/** For responses without a response object. */
export const rawReadableHeaders: readonly string[] = readableHeaders.map(
  ([name, value]) => `${name}: ${value}`,
);

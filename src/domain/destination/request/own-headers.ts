import { destinationLimits } from '../destination.ts';
import { shown } from '../row-errors.ts';

/** They frame or sign the request, or change what the response looks like, so only the service may set them. */
const reserved =
  /^(?:host|content-.*|connection|webhook-.*|transfer-encoding|accept-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*|http2-settings)$/i;

// Begins with a letter, so that no name is a key of a prototype.
const nameShape = /^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,99}$/;
const valueShape = /^[!-~](?:[ -~]*[!-~])?$/;

/** What is wrong with the headers that an owner adds to each request: a message per name, which also says its row. */
export function ownHeaderErrors(headers: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const rowByName = new Map<string, number>();
  const errors = new Map<string, string>();
  for (const [place, [name, value]] of Object.entries(headers).entries()) {
    const spelling = name.toLowerCase();
    const earlier = rowByName.get(spelling);
    const error =
      nameError(name) ??
      valueError(value) ??
      (earlier === undefined ? null : `header ${earlier} has the same name`);
    if (error !== null) errors.set(name, `Header ${place + 1} (\`${shown(name)}\`): ${error}`);
    if (earlier === undefined) rowByName.set(spelling, place + 1);
  }
  return errors;
}

/** What is wrong with the headers as a whole, or null. */
export function ownHeadersError(headers: Readonly<Record<string, string>>): string | null {
  const { ownHeaders } = destinationLimits;
  return Object.keys(headers).length > ownHeaders ? `use at most ${ownHeaders} headers` : null;
}

function nameError(name: string): string | null {
  if (!nameShape.test(name)) return 'use a letter, then letters, digits and hyphens, up to 100 characters';
  return reserved.test(name) ? 'the service sets this header itself' : null;
}

function valueError(value: string): string | null {
  const { ownHeaderValueBytes } = destinationLimits;
  if (value.length > ownHeaderValueBytes) return `use at most ${ownHeaderValueBytes} characters`;
  return valueShape.test(value) ? null : 'use printable ASCII characters without spaces at the ends';
}

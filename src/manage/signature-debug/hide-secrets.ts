import type { KnownSecret } from '../../domain/signature-debug/variants/secret-variants.ts';

const hidden = '[secret]';
/** Shorter matches are chance, and the names of our prefixes. */
const charactersMin = 8;

/**
 * Some texts quote headers, and a confused sender may have put a secret there. People pass these texts on, so every secret
 * that the debugger knows is replaced in them, even if it was cut off.
 */
export function secretHider(secrets: readonly KnownSecret[]): (text: string) => string {
  const values = secrets
    .filter(({ kind, value }) => kind !== 'identifier' && value.length >= charactersMin)
    .map(({ value }) => value)
    .toSorted((a, b) => b.length - a.length);
  return (text) => values.reduce(withoutSecret, text);
}

function withoutSecret(text: string, secret: string): string {
  const start = secret.slice(0, charactersMin);
  let shown = '';
  for (let at = 0; ; ) {
    const found = text.indexOf(start, at);
    if (found === -1) return shown + text.slice(at);
    let length = charactersMin;
    while (length < secret.length && text[found + length] === secret[length]) length++;
    shown += text.slice(at, found) + hidden;
    at = found + length;
  }
}

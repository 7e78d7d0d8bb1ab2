import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The secret with which the account library signs session cookies. */
export function sessionSecret(encryptionKey: string): string {
  return Buffer.from(hkdfSync('sha256', encryptionKey, '', 'leadgate sessions', 32)).toString('base64url');
}

/**
 * Signs a session cookie again with the current secret if a previous one signed it. The library knows only one secret, and
 * rotating the encryption key should sign nobody out. Browsers get a new cookie when their session is renewed, which happens
 * daily; once the previous key is removed, cookies that it signed are no longer valid.
 */
export function resignedCookies(
  header: string,
  name: string,
  current: string,
  previous: readonly string[],
): string {
  if (previous.length === 0) return header;
  const cookies = header.split(';').map((cookie) => cookie.trim());
  const place = cookies.findIndex((cookie) => cookie.startsWith(`${name}=`));
  const signed = signedValue(cookies[place], name);
  if (signed === null) return header;
  const { token, signature } = signed;
  if (!previous.some((secret) => isSame(signature, signatureOf(token, secret)))) return header;
  const value = encodeURIComponent(`${token}.${signatureOf(token, current)}`);
  return cookies.with(place, `${name}=${value}`).join('; ');
}

function signedValue(cookie: string | undefined, name: string): { token: string; signature: string } | null {
  if (cookie === undefined) return null;
  try {
    const value = decodeURIComponent(cookie.slice(name.length + 1));
    const end = value.lastIndexOf('.');
    return { token: value.slice(0, Math.max(end, 0)), signature: value.slice(end + 1) };
  } catch {
    // Not written by the library, which will refuse it itself.
    return null;
  }
}

function signatureOf(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('base64');
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

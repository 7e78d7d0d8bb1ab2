/*
 * How a token is encrypted for a hand-over link, in the browser and on the command line. The key is only in the fragment of
 * the link, which browsers never send. Without schemas, so that a page can load it alone.
 */

const algorithm = 'AES-GCM';
const keyBits = 256;
const vectorBytes = 12;

export interface EncryptedToken {
  /** The initialisation vector, the ciphertext and its tag, in base64url. */
  readonly ciphertext: string;
  /** In base64url. */
  readonly key: string;
}

/** Under a new random key. */
export async function encryptToken(token: string): Promise<EncryptedToken> {
  const key = await crypto.subtle.generateKey({ name: algorithm, length: keyBits }, true, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(vectorBytes));
  const encrypted = await crypto.subtle.encrypt(
    { name: algorithm, iv },
    key,
    new TextEncoder().encode(token),
  );
  const ciphertext = new Uint8Array([...iv, ...new Uint8Array(encrypted)]);
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key));
  return { ciphertext: toBase64url(ciphertext), key: toBase64url(raw) };
}

/** Throws if the key is not that of the ciphertext. */
export async function decryptToken({ ciphertext, key }: EncryptedToken): Promise<string> {
  const raw = await crypto.subtle.importKey('raw', fromBase64url(key), algorithm, false, ['decrypt']);
  const bytes = fromBase64url(ciphertext);
  const iv = bytes.subarray(0, vectorBytes);
  const plain = await crypto.subtle.decrypt({ name: algorithm, iv }, raw, bytes.subarray(vectorBytes));
  return new TextDecoder('utf-8', { fatal: true }).decode(plain);
}

/** What is in the fragment of a link: what the service knows it by, and the key. */
export interface HandoverSecrets {
  readonly token: string;
  readonly key: string;
}

export function linkWithKey(link: string, key: string): string {
  return `${link}&key=${key}`;
}

/** Null if part of it is missing, as in a link that was cut off. */
export function secretsIn(fragment: string): HandoverSecrets | null {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const token = values.get('token') ?? '';
  const key = values.get('key') ?? '';
  return token !== '' && /^[\w-]{43}$/.test(key) ? { token, key } : null;
}

function toBase64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

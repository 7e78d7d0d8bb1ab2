/** What the service asks a page to solve before it gives it a token. */
export interface Challenge {
  readonly challenge: string;
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  /** How many bits must be zero; 0 if nothing is to be solved. */
  readonly bits: number;
}

export const bytesOf = (text: string) => new TextEncoder().encode(text);

export const hashOf = async (text: string) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text)))]
    .map((byte) => (byte + 256).toString(16).slice(1))
    .join('');

/**
 * The first number found whose key begins with enough zero bits. The browser derives keys outside the page's thread, so no
 * worker is needed, which a strict Content-Security-Policy would refuse. Several at a time keep it busy.
 */
export async function solve({ nonce, salt, cost, bits }: Challenge): Promise<string> {
  let next = 0;
  let found = bits ? -1 : 0;
  const search = async () => {
    while (found < 0) {
      const number = next++;
      const { subtle } = crypto;
      const key = await subtle.importKey('raw', bytesOf(nonce + number), 'PBKDF2', false, ['deriveBits']);
      const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations: cost };
      const start = new DataView(await subtle.deriveBits(derivation, key, 32)).getUint32(0);
      if (start >>> (32 - bits) === 0) found = number;
    }
  };
  await Promise.all([search(), search(), search(), search()]);
  return `${found}`;
}

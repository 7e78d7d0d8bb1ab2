import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chosenEncoding, type Encoding } from './encoding.ts';

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) as Promise<Buffer>,
  gzip: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }) as Promise<Buffer>,
};

/** A response that never changes and that anyone can ask for: compressed once, when it is first needed. */
export class Precompressed {
  readonly #identity: Buffer;
  readonly #contentType: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string, contentType: string) {
    this.#identity = Buffer.from(text);
    this.#contentType = contentType;
  }

  async respond(request: Request): Promise<Response> {
    const encoding = chosenEncoding(request.headers.get('accept-encoding'));
    const headers = new Headers({ 'content-type': this.#contentType, vary: 'Accept-Encoding' });
    if (encoding !== null) headers.set('content-encoding', encoding);
    const body = encoding === null ? this.#identity : await this.#as(encoding);
    return new Response(new Uint8Array(body), { headers });
  }

  #as(encoding: Encoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding) ?? encoders[encoding](this.#identity);
    this.#encoded.set(encoding, known);
    return known;
  }
}

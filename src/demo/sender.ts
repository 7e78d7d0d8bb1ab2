import { sign } from '../domain/signature.ts';
import type { Clock } from '../time/clock.ts';

/** A form with what a sender needs to use it. */
export interface Place {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly token: string;
  readonly tokenId: string;
  readonly secret: string;
}

/** How a request differs from a correct one. A star stands for the header prefix. */
export interface Oddities {
  readonly method?: string;
  readonly secret?: string;
  readonly timestamp?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
}

/** Sends leads over HTTP like any sender, at the time of the demo clock. */
export class DemoSender {
  readonly #url: string;
  readonly #prefix: string;
  readonly #clock: Clock;

  constructor(url: string, headerPrefix: string, clock: Clock) {
    this.#url = url;
    this.#prefix = headerPrefix;
    this.#clock = clock;
  }

  byToken({ token }: Pick<Place, 'token'>, body: string, odd: Oddities = {}): Promise<void> {
    return this.#post('/api/v1/ingest', { Authorization: `Bearer ${token}` }, body, odd);
  }

  signed({ slug, secret }: Pick<Place, 'slug' | 'secret'>, body: string, odd: Oddities = {}): Promise<void> {
    const timestamp = odd.timestamp ?? String(Math.floor(this.#clock.now() / 1000));
    const signature = sign(odd.secret ?? secret, timestamp, Buffer.from(body)).toString('hex');
    return this.#post(
      `/api/v1/ingest/${slug}`,
      { '*Timestamp': timestamp, '*Signature': signature },
      body,
      odd,
    );
  }

  async #post(path: string, own: Record<string, string>, body: string, odd: Oddities): Promise<void> {
    const key = odd.key === undefined ? {} : { '*Idempotency-Key': odd.key };
    const given = { 'Content-Type': 'application/json', ...own, ...key, ...odd.headers };
    const headers = Object.entries(given)
      .filter(([name]) => !odd.without?.includes(name))
      .map(([name, value]): [string, string] => [name.replace('*', this.#prefix), value]);
    const response = await fetch(this.#url + path, { method: odd.method ?? 'POST', headers, body });
    await response.arrayBuffer();
  }
}

import { hash, randomBytes } from 'node:crypto';
import type { Api } from '../cli/api.ts';
import { jtiBytes, mintBrowserToken } from '../domain/browser/browser-token.ts';
import { mintSecretKey } from '../domain/browser/signing-keys.ts';
import { type Clock, secondMs } from '../time/clock.ts';
import type { Random } from '../time/random.ts';
import type { DemoEvent } from './changes.ts';
import { makeLead } from './lead-maker.ts';
import { pageSlug, siteOrigins } from './page.ts';
import type { Stage } from './stage.ts';

// Counts of visits are kept for a week.
const sinceDaysAgo = 6.5;
const visitsPerDay = 24;
const tokenSeconds = 120;

/** What a token says, where it differs from a right one. */
interface OddClaims {
  readonly agedSeconds?: number;
  readonly formId?: string;
  readonly bodyHash?: Buffer;
}

/**
 * Visitors of web pages in the last days: most send the form, some leave it. Their pages ask for no work, because a visit must take
 * no time. One page runs on a site that is not allowed, and a backend signs tokens with mistakes.
 */
export class Visits {
  readonly #api: Api;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #stage: Stage;
  readonly #other: Stage;
  #publicKey = '';
  #secret = '';
  #otherSecret = '';

  constructor(api: Api, clock: Clock, random: Random, stages: readonly Stage[]) {
    this.#api = api;
    this.#clock = clock;
    this.#random = random;
    this.#stage = stages.find(({ slug }) => slug === pageSlug) as Stage;
    this.#other = stages.find(({ slug }) => slug === 'brightwater-quote') as Stage;
  }

  events(share: number): DemoEvent[] {
    const count = Math.ceil(sinceDaysAgo * visitsPerDay * share);
    const visits = Array.from({ length: count }, () => () => this.#visit());
    const happenings = [...visits, ...this.#mishaps];
    return [
      { daysAgo: sinceDaysAgo, happen: () => this.#setUp() },
      ...happenings.map((happen) => ({ daysAgo: this.#random.between(0.01, sinceDaysAgo - 0.1), happen })),
    ];
  }

  async #setUp(): Promise<void> {
    const params = { workspace_id: this.#stage.workspaceId, form_id: this.#stage.formId };
    const { public_key } = await this.#api.call('PUT', '/workspaces/:workspace_id/forms/:form_id/browser', {
      params,
      body: { enabled: true, origins: [...siteOrigins], protection: 'none' },
    });
    this.#publicKey = public_key ?? '';
    this.#secret = await this.#mintSecretOf(this.#stage);
    this.#otherSecret = await this.#mintSecretOf(this.#other);
  }

  async #mintSecretOf({ workspaceId, formId }: Stage): Promise<string> {
    const path = '/workspaces/:workspace_id/forms/:form_id/browser/mint-secret';
    const params = { workspace_id: workspaceId, form_id: formId };
    return (await this.#api.call('POST', path, { params, body: {} })).secret;
  }

  /** What the SDK does when someone sends the form. */
  async #visit(): Promise<void> {
    const isElsewhere = this.#random.chance(0.06);
    const origin = isElsewhere ? 'https://brightwater-offers.example' : this.#random.pick(siteOrigins);
    const body = this.#lead();
    const asked = { key: this.#publicKey, body_hash: hash('sha256', body) };
    const { challenge } = await this.#post('challenges', origin, JSON.stringify(asked));
    if (challenge === undefined || this.#random.chance(0.08)) return;
    const { token } = await this.#post('tokens', origin, JSON.stringify({ challenge, solution: '0' }));
    if (token === undefined || this.#random.chance(0.04)) return;
    await this.#send(token, body, origin);
  }

  /** One for each rejection of a token that a backend signs. */
  readonly #mishaps: readonly (() => Promise<void>)[] = [
    () => this.#sendSigned({}, null),
    () => this.#sendSigned({}, 'https://preview.brightwater.example'),
    () => this.#sendSigned({ agedSeconds: 10 * tokenSeconds }),
    () => this.#sendSigned({ bodyHash: Buffer.alloc(32) }),
    () => this.#sendSigned({ formId: this.#other.formId }),
    () => this.#sendTwice(),
    () => this.#sendToOther(),
  ];

  async #sendSigned(odd: OddClaims, origin: string | null = siteOrigins[0]): Promise<void> {
    await this.#send(this.#signed(odd, this.#secret), this.#lead(), origin);
  }

  /** Whose owner created a secret, but has not turned web pages on. */
  async #sendToOther(): Promise<void> {
    const token = this.#signed({ formId: this.#other.formId }, this.#otherSecret);
    await this.#send(token, this.#lead(), siteOrigins[0]);
  }

  async #sendTwice(): Promise<void> {
    const token = this.#signed({}, this.#secret);
    for (const body of [this.#lead(), '{"name":"Another one"}'])
      await this.#send(token, body, siteOrigins[0]);
  }

  #signed({ agedSeconds = 0, formId = this.#stage.formId, bodyHash }: OddClaims, secret: string): string {
    const issuedAt = Math.floor(this.#clock.now() / secondMs) - agedSeconds;
    return mintBrowserToken(
      {
        workspaceId: this.#stage.workspaceId,
        formId,
        epoch: 1,
        origin: siteOrigins[0],
        issuedAt,
        expiresAt: issuedAt + tokenSeconds,
        jti: randomBytes(jtiBytes),
        bodyHash: bodyHash ?? null,
        proof: 'backend',
      },
      mintSecretKey(secret),
    );
  }

  #lead(): string {
    const _context = { page: `${siteOrigins[0]}/contact`, elapsed_ms: this.#random.integer(8_000, 90_000) };
    return JSON.stringify({ ...makeLead(this.#stage.form, this.#random), _context });
  }

  async #send(token: string, body: string, origin: string | null): Promise<void> {
    await this.#post('submissions', origin, body, { Authorization: `Bearer ${token}` });
  }

  async #post(
    path: string,
    origin: string | null,
    body: string,
    more: Record<string, string> = {},
  ): Promise<{ readonly challenge?: string; readonly token?: string }> {
    const from = origin === null ? {} : { Origin: origin };
    const response = await fetch(`${this.#api.url}/api/v1/browser/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...from, ...more },
      body,
    });
    return response.json() as Promise<{ readonly challenge?: string; readonly token?: string }>;
  }
}

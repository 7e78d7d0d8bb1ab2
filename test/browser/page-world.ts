import { hash, pbkdf2Sync } from 'node:crypto';
import type { Agent } from 'node:http';
import type pg from 'pg';
import { expect } from 'vitest';
import type { Protection } from '../../src/domain/browser/protection.ts';
import { newPublicKey } from '../../src/domain/browser/public-key.ts';
import { captchaSecretOwner } from '../../src/domain/browser/secrets.ts';
import { beginsWithZeroBits } from '../../src/domain/browser/work.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import type { Clock } from '../../src/time/clock.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { type Answer, createSender, type HeaderList, type Sender, send } from '../support/sender.ts';
import { encryptionKey, startTestService, type TestService } from '../support/service.ts';

export const pageOrigin = 'https://www.example.com';
export const refusedBody = '{"status":"refused"}';
export const someBody = '{"email":"ada@example.com"}';
export const someHash = hash('sha256', someBody, 'hex');

export interface PageSettings {
  readonly enabled: boolean;
  readonly origins: readonly string[];
  readonly protection: Protection;
  readonly ttlSeconds: number;
  readonly captcha: { readonly siteKey: string; readonly secret: string } | null;
}

/** A form that web pages may send leads to. */
export interface PageForm extends Sender {
  readonly key: string;
}

export interface ChallengeAnswer {
  readonly challenge: string;
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  readonly bits: number;
}

export interface AskOptions {
  readonly origin?: string | null;
  readonly headers?: HeaderList;
  readonly method?: string;
  /** As if a proxy had seen the page there. Needs TRUST_PROXY. */
  readonly address?: string;
  readonly agent?: Agent;
}

/** Web pages of a service: forms with settings, and what their visitors send. */
export class PageWorld {
  readonly service: TestService;
  readonly pool: pg.Pool;
  #changes = 0;

  constructor(service: TestService) {
    this.service = service;
    this.pool = openTestPool(service.databaseUrl);
  }

  /** With a service of its own, which trusts one proxy, so that a visitor can come from any address. */
  static async start(clock: Clock): Promise<PageWorld> {
    return new PageWorld(await startTestService({ clock, env: { TRUST_PROXY: '1' } }));
  }

  async createForm(settings: Partial<PageSettings> = {}): Promise<PageForm> {
    const sender = await createSender(this.service);
    const form = { ...sender, key: newPublicKey() };
    await this.set(form, settings);
    return form;
  }

  /** As the management API does it. Resolves when the service knows. */
  async set(form: PageForm, settings: Partial<PageSettings> = {}): Promise<void> {
    const {
      enabled = true,
      origins = [pageOrigin],
      protection = 'none',
      ttlSeconds = 120,
      captcha,
    } = settings;
    const sealed = captcha
      ? new SecretBox(encryptionKey).seal(captcha.secret, captchaSecretOwner(form.formId))
      : null;
    await this.pool.query(
      `insert into browser_settings (form_id, workspace_id, enabled, public_key, origins, protection, captcha_site_key,
         captcha_ciphertext, ttl_s, no_script, revision)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, next_directory_revision())
       on conflict (form_id) do update set enabled = excluded.enabled, origins = excluded.origins,
         protection = excluded.protection, captcha_site_key = excluded.captcha_site_key,
         captcha_ciphertext = excluded.captcha_ciphertext, ttl_s = excluded.ttl_s, revision = excluded.revision`,
      [
        ...[form.formId, form.workspaceId, enabled, form.key, origins, protection, captcha?.siteKey ?? null],
        ...[sealed, ttlSeconds],
      ],
    );
    await this.#known(form);
  }

  /** A later change by the API is known to every worker when it responds, and with it all earlier ones. */
  async #known({ workspaceId, formId }: PageForm): Promise<void> {
    const path = `/workspaces/${workspaceId}/forms/${formId}`;
    const { status, text } = await this.service.api('PATCH', path, { name: `Contact ${++this.#changes}` });
    if (status !== 200) throw new Error(`PATCH ${path} answered ${status}: ${text}`);
  }

  ask(path: 'challenges' | 'tokens', body: unknown, options: AskOptions = {}): Promise<Answer> {
    const { origin = pageOrigin, method = 'POST', address, agent } = options;
    const headers: HeaderList = {
      ...(origin === null ? {} : { Origin: origin }),
      ...(address === undefined ? {} : { 'X-Forwarded-For': address }),
      ...options.headers,
    };
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return send(`${this.service.url}/api/v1/browser/${path}`, method, headers, bytes, agent);
  }

  async challenge({ key }: Pick<PageForm, 'key'>, options: AskOptions = {}): Promise<ChallengeAnswer> {
    const answer = await this.ask('challenges', { key, body_hash: someHash }, options);
    if (answer.status !== 201) throw new Error(`no challenge: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body);
  }

  /** A challenge of the form, its solution, and the response to both. */
  async token(form: Pick<PageForm, 'key'>, options: AskOptions = {}, rest: object = {}): Promise<Answer> {
    const given = await this.challenge(form, options);
    return this.ask('tokens', { challenge: given.challenge, solution: solve(given), ...rest }, options);
  }

  /** Counts by step, once they satisfy the condition. */
  async counts(
    { formId }: PageForm,
    isThere: (counts: Record<string, number>) => boolean,
  ): Promise<Record<string, number>> {
    return eventually(async () => {
      const { rows } = await this.pool.query(
        `select step || case origin when '' then '' else ' ' || origin end as name, sum(count)::int as count
         from mint_counts where form_id = $1 group by 1`,
        [formId],
      );
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    }, isThere);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  async stop(): Promise<void> {
    await this.close();
    await this.service.stop();
  }
}

function isSolution({ nonce, salt, cost, bits }: ChallengeAnswer, n: number): boolean {
  return beginsWithZeroBits(pbkdf2Sync(`${nonce}${n}`, salt, cost, 32, 'sha256'), bits);
}

function solve(challenge: ChallengeAnswer): string {
  for (let n = 0; ; n++) if (isSolution(challenge, n)) return String(n);
}

/** A number that solves nothing. */
export function wrongSolution(challenge: ChallengeAnswer): string {
  for (let n = 0; ; n++) if (!isSolution(challenge, n)) return String(n);
}

export function exchanged(given: ChallengeAnswer, solution = solve(given)) {
  return { challenge: given.challenge, solution };
}

let networks = 0;
/** Another network each time, so that no test meets the limits of another. Needs TRUST_PROXY. */
export function elsewhere() {
  return { address: `10.9.${networks >> 8}.${networks++ & 255}` };
}

/** The only refusal that pages get to see: but for the ID and the date, always the same. */
export function expectRefused(answer: Answer): void {
  const { date, 'x-request-id': requestId, ...headers } = answer.headers;
  expect({ status: answer.status, body: answer.body, headers }).toEqual({
    status: 403,
    body: refusedBody,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Request-Id',
      'content-type': 'application/json',
      'content-length': String(refusedBody.length),
      connection: 'keep-alive',
      'keep-alive': 'timeout=65',
    },
  });
  expect(date).toBeTruthy();
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
}

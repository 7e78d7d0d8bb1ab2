import { hash, randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  type BrowserClaims,
  mintBrowserToken,
  type NamedKey,
} from '../../src/domain/browser/browser-token.ts';
import { newPublicKey } from '../../src/domain/browser/public-key.ts';
import { mintSecretOwner, newMintSecret } from '../../src/domain/browser/secrets.ts';
import { BrowserSigningKeys } from '../../src/domain/browser/signing-keys.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { openTestPool } from '../support/database/database.ts';
import { type Answer, type HeaderList, type Sender, send, someLead } from '../support/sender.ts';
import { encryptionKey, type TestService } from '../support/service.ts';

export const pageOrigin = 'https://www.example.com';
export const thanksUrl = 'https://www.example.com/thanks';
export const signingKeys = new BrowserSigningKeys(encryptionKey);

/** A form that web pages may send to. */
export interface PageSender extends Sender {
  readonly publicKey: string;
  readonly mintSecret: string;
  readonly previousMintSecret: string;
}

export interface Settings {
  readonly enabled: boolean;
  readonly origins: readonly string[];
  readonly localhostUntil: Date | null;
  readonly previousMintSecretValidUntil: Date | null;
  readonly epoch: number;
  readonly noScript: boolean;
  readonly thanksUrl: string | null;
}

const usualSettings: Settings = {
  enabled: true,
  origins: [pageOrigin],
  localhostUntil: null,
  previousMintSecretValidUntil: null,
  epoch: 1,
  noScript: true,
  thanksUrl,
};

export interface PageOptions {
  /** What the token says, if it is not the usual. */
  readonly claims?: Partial<BrowserClaims>;
  readonly key?: NamedKey;
  readonly token?: string;
  /** Null: no Origin header. */
  readonly origin?: string | null;
  readonly headers?: HeaderList;
  readonly method?: string;
}

/** Writes what owners set up for their web pages, and sends what these pages send. */
export class Pages {
  readonly service: TestService;
  readonly pool: pg.Pool;

  constructor(service: TestService) {
    this.service = service;
    this.pool = openTestPool(service.databaseUrl);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  async setUp(sender: Sender, settings: Partial<Settings> = {}): Promise<PageSender> {
    const mintSecret = newMintSecret();
    const previousMintSecret = newMintSecret();
    const page = { ...sender, publicKey: newPublicKey(), mintSecret, previousMintSecret };
    await this.change(page, settings);
    return page;
  }

  /** As the management API writes it, in one statement, so that the change gets its own revision. */
  async change(page: PageSender, settings: Partial<Settings>): Promise<void> {
    const all = { ...usualSettings, ...settings };
    const box = new SecretBox(encryptionKey);
    const seal = (secret: string) => box.seal(secret, mintSecretOwner(page.formId));
    await this.pool.query(
      `insert into browser_settings (form_id, workspace_id, enabled, public_key, origins, localhost_until, protection,
         mint_secret_ciphertext, mint_secret_set_at, previous_mint_secret_ciphertext, previous_mint_secret_valid_until, epoch,
         ttl_s, no_script, thanks_url, revision)
       values ($1, $2, $3, $4, $5, $6, 'work', $7, now(), $8, $9, $10, 120, $11, $12, next_directory_revision())
       on conflict (form_id) do update set enabled = excluded.enabled, origins = excluded.origins,
         localhost_until = excluded.localhost_until, epoch = excluded.epoch, no_script = excluded.no_script,
         previous_mint_secret_valid_until = excluded.previous_mint_secret_valid_until,
         thanks_url = excluded.thanks_url, revision = excluded.revision`,
      [
        ...[page.formId, page.workspaceId, all.enabled, page.publicKey, all.origins, all.localhostUntil],
        ...[seal(page.mintSecret), seal(page.previousMintSecret), all.previousMintSecretValidUntil],
        ...[all.epoch, all.noScript, all.thanksUrl],
      ],
    );
    // The service reads every change before it answers one of its own.
    const form = `/workspaces/${page.workspaceId}/forms/${page.formId}`;
    const { status, text } = await this.service.api('PATCH', form, { name: `Contact ${randomUUID()}` });
    if (status !== 200) throw new Error(text);
  }

  claimsOf({ workspaceId, formId }: Sender, body: string | Buffer): BrowserClaims {
    const issuedAt = Math.floor(this.service.clock.now() / 1000);
    return {
      workspaceId,
      formId,
      epoch: 1,
      origin: pageOrigin,
      issuedAt,
      expiresAt: issuedAt + 120,
      jti: randomBytes(16),
      bodyHash: hash('sha256', body, 'buffer'),
      proof: 'work',
    };
  }

  token(sender: Sender, body: string | Buffer = someLead, { claims = {}, key }: PageOptions = {}): string {
    const named = key ?? signingKeys.current('tokens', claims.workspaceId ?? sender.workspaceId);
    return mintBrowserToken({ ...this.claimsOf(sender, body), ...claims }, named);
  }

  /** Sends a valid lead with a new token, except for what the options change. */
  post(sender: Sender, body: string | Buffer = someLead, options: PageOptions = {}): Promise<Answer> {
    const token = options.token ?? this.token(sender, body, options);
    const headers: HeaderList = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const { origin = pageOrigin } = options;
    if (origin !== null) headers.Origin = origin;
    const url = `${this.service.url}/api/v1/browser/submissions`;
    return send(url, options.method ?? 'POST', { ...headers, ...options.headers }, body);
  }

  /** What a browser sends without script. */
  submit(publicKey: string, body: string | Buffer, options: PageOptions = {}): Promise<Answer> {
    const headers: HeaderList = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { origin = pageOrigin } = options;
    if (origin !== null) headers.Origin = origin;
    const url = `${this.service.url}/api/v1/browser/forms/${publicKey}`;
    return send(url, options.method ?? 'POST', { ...headers, ...options.headers }, body);
  }
}

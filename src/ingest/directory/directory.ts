import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { binaryUuid } from '../../db/binary.ts';
import type {
  BrowserRow,
  DirectoryChanges,
  FormRow,
  SecretRow,
  TokenRow,
  WorkspaceRow,
} from '../../db/directory/directory.ts';
import { type ReplayProtection, replayProtectionDefault } from '../../domain/form.ts';
import { heldDaysDefault } from '../../domain/held/held-bounds.ts';
import { type CompiledScoring, compileScoring } from '../../domain/score/settings/compile.ts';
import { completeSettings } from '../../domain/score/settings/settings.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { type TokenType, tokenKey, tokenKeyOf } from '../../domain/token.ts';
import { shardOf } from '../../domain/workspace.ts';
import { type BrowserEntry, browserEntry } from './browser-entry.ts';
import { FormerSlugs } from './former-slugs.ts';
import { TokenCache } from './token-cache.ts';

export interface WorkspaceEntry {
  readonly id: string;
  readonly idBytes: Buffer;
  readonly shard: number;
  readonly isSuspended: boolean;
  /** For how long rejected requests are kept; 0 for not at all. */
  readonly heldDays: number;
}

export interface FormEntry {
  readonly id: string;
  readonly idBytes: Buffer;
  readonly workspaceId: string;
  readonly slug: string;
  readonly isActive: boolean;
  readonly isDeleted: boolean;
  readonly replayProtection: ReplayProtection;
  readonly keepsRejected: boolean;
  /** Compiled when the form is read, not per request. */
  readonly scoring: CompiledScoring;
  readonly secret: WebhookSecret | null;
  /** Null if web pages have never been set up. */
  readonly browser: BrowserEntry | null;
}

export interface WebhookSecret {
  readonly current: KeyObject;
  readonly previous: KeyObject | null;
  readonly previousValidUntil: number;
}

export interface TokenEntry {
  readonly id: string;
  readonly idBytes: Buffer;
  readonly workspaceId: string;
  readonly formId: string;
  readonly type: TokenType;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** The successor after a rotation, shown in rejections. */
  readonly replacedBy: string | null;
}

/**
 * Everything needed to authenticate a request, in memory: credentials are checked without a query, even while PostgreSQL
 * is down. DirectorySync keeps it current. Revoked tokens stay, so that the owner can be shown that they are used.
 */
export class Directory {
  readonly #workspaces = new Map<string, WorkspaceEntry>();
  readonly #forms = new Map<string, FormEntry>();
  readonly #formsBySlug = new Map<string, readonly FormEntry[]>();
  readonly #formerSlugs = new FormerSlugs();
  readonly #secrets = new Map<string, WebhookSecret | null>();
  readonly #tokensByHash = new Map<string, TokenEntry>();
  readonly #tokenCache = new TokenCache<TokenEntry>();
  readonly #browser = new Map<string, BrowserEntry>();
  readonly #formIdsByPublicKey = new Map<string, string>();
  readonly #formIdsByMintSecret = new Map<string, string>();
  readonly #secretBox: SecretBox;
  #isLoaded = false;
  #knowsPages = false;

  readonly #onUnreadable: (formId: string, why: string) => void;

  constructor(secretBox: SecretBox, onUnreadable: (formId: string, why: string) => void) {
    this.#secretBox = secretBox;
    this.#onUnreadable = onUnreadable;
  }

  /** False until the first read. Before it, every credential would look invalid. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** False while only a snapshot of a version without web pages was read: their settings would look missing. */
  get knowsPages(): boolean {
    return this.#knowsPages;
  }

  workspace(id: string): WorkspaceEntry | null {
    return this.#workspaces.get(id) ?? null;
  }

  form(id: string): FormEntry | null {
    return this.#forms.get(id) ?? null;
  }

  /** Without deleted forms. */
  formsBySlug(slug: string): readonly FormEntry[] {
    return this.#formsBySlug.get(slug) ?? [];
  }

  /** The forms that gave up the slug, without deleted ones. Only meaningful if no form uses it. */
  formsByFormerSlug(slug: string): readonly FormEntry[] {
    return this.#formerSlugs.rowsOf(slug).flatMap(({ formId }) => this.#livingForm(formId) ?? []);
  }

  /** The form that an alias leads to until its end. Only meaningful if no form uses the slug. Two aliases lead nowhere. */
  formByAlias(slug: string, at: number): FormEntry | null {
    const [alias, other] = this.#formerSlugs.aliasesOf(slug, at);
    return alias === undefined || other !== undefined ? null : this.#livingForm(alias.formId);
  }

  /** A token that was found lately, if it is valid at that time. */
  tokenInUse(token: string, at: number): TokenEntry | null {
    return this.#tokenCache.get(token, at);
  }

  /** Whether or not it is still valid; null for one that was never issued. */
  findToken(token: string): TokenEntry | null {
    const found = this.#tokensByHash.get(tokenKey(token));
    if (found !== undefined) this.#tokenCache.add(token, found);
    return found ?? null;
  }

  /** The form that a web page names, unless it is deleted. */
  formByPublicKey(key: string): FormEntry | null {
    return this.#livingForm(this.#formIdsByPublicKey.get(key));
  }

  /** By the kid of a browser token that a backend signed. */
  formByMintSecret(kid: string): FormEntry | null {
    return this.#livingForm(this.#formIdsByMintSecret.get(kid));
  }

  #livingForm(id: string | undefined): FormEntry | null {
    const form = id === undefined ? undefined : this.#forms.get(id);
    return form === undefined || form.isDeleted ? null : form;
  }

  apply(changes: DirectoryChanges): void {
    this.#tokenCache.clear();
    for (const row of changes.workspaces) this.#workspaces.set(row.id, workspaceEntry(row));
    for (const row of changes.tokens) this.#tokensByHash.set(tokenKeyOf(row.hash), tokenEntry(row));
    for (const row of changes.secrets) this.#applySecret(row);
    for (const row of changes.browser ?? []) this.#applyBrowser(row);
    for (const row of changes.forms) {
      const secret = this.#secrets.get(row.id) ?? null;
      this.#setForm(formEntry(row, secret, this.#browser.get(row.id) ?? null));
    }
    // A snapshot of an older version has none.
    if (changes.formerSlugs !== undefined) {
      const workspaceIds = new Set(changes.forms.map(({ workspaceId }) => workspaceId));
      this.#formerSlugs.replace(workspaceIds, changes.formerSlugs);
    }
    this.#isLoaded = true;
    this.#knowsPages ||= changes.browser !== undefined;
  }

  #applySecret(row: SecretRow): void {
    const secret = this.#openSecret(row);
    this.#secrets.set(row.formId, secret);
    const form = this.#forms.get(row.formId);
    if (form !== undefined) this.#setForm({ ...form, secret });
  }

  #applyBrowser(row: BrowserRow): void {
    const before = this.#browser.get(row.formId);
    for (const { kid } of before?.mintSecrets ?? []) this.#formIdsByMintSecret.delete(kid);
    const onUnreadable = (why: string) => this.#onUnreadable(row.formId, why);
    const browser = browserEntry(row, this.#secretBox, onUnreadable);
    this.#browser.set(row.formId, browser);
    this.#formIdsByPublicKey.set(browser.publicKey, row.formId);
    for (const { kid } of browser.mintSecrets) this.#formIdsByMintSecret.set(kid, row.formId);
    const form = this.#forms.get(row.formId);
    if (form !== undefined) this.#setForm({ ...form, browser });
  }

  #openSecret(row: SecretRow): WebhookSecret | null {
    const open = (sealed: Buffer) => this.#open(sealed, row.formId);
    if (row.currentCiphertext === null) return null;
    return {
      current: open(row.currentCiphertext),
      previous: row.previousCiphertext === null ? null : open(row.previousCiphertext),
      previousValidUntil: row.previousValidUntil?.getTime() ?? 0,
    };
  }

  /** A secret that cannot be decrypted is replaced by a random one, so that the rest of the directory still loads. */
  #open(sealed: Buffer, formId: string): KeyObject {
    try {
      return createSecretKey(Buffer.from(this.#secretBox.open(sealed, formId)));
    } catch (error) {
      this.#onUnreadable(formId, (error as Error).message);
      return createSecretKey(randomBytes(32));
    }
  }

  #setForm(form: FormEntry): void {
    const before = this.#forms.get(form.id);
    if (before !== undefined) this.#unlist(before);
    this.#forms.set(form.id, form);
    if (!form.isDeleted) this.#formsBySlug.set(form.slug, [...this.formsBySlug(form.slug), form]);
  }

  #unlist(form: FormEntry): void {
    const others = this.formsBySlug(form.slug).filter(({ id }) => id !== form.id);
    if (others.length === 0) this.#formsBySlug.delete(form.slug);
    else this.#formsBySlug.set(form.slug, others);
  }
}

function workspaceEntry({ id, status, heldDays }: WorkspaceRow): WorkspaceEntry {
  return {
    id,
    idBytes: binaryUuid(id),
    shard: shardOf(id),
    isSuspended: status === 'suspended',
    // A snapshot of an older version has no such column.
    heldDays: heldDays ?? heldDaysDefault,
  };
}

function formEntry(row: FormRow, secret: WebhookSecret | null, browser: BrowserEntry | null): FormEntry {
  return {
    id: row.id,
    idBytes: binaryUuid(row.id),
    workspaceId: row.workspaceId,
    slug: row.slug,
    isActive: row.active,
    isDeleted: row.deletedAt !== null,
    // A snapshot of an older version has no such column.
    replayProtection: row.replayProtection ?? replayProtectionDefault,
    keepsRejected: row.keepsRejected ?? true,
    scoring: compileScoring(
      completeSettings(row.scoring),
      row.fields,
      row.scoringVersion,
      row.learned ?? null,
    ),
    secret,
    browser,
  };
}

function tokenEntry(row: TokenRow): TokenEntry {
  return {
    id: row.id,
    idBytes: binaryUuid(row.id),
    workspaceId: row.workspaceId,
    formId: row.formId,
    type: row.type,
    expiresAt: row.expiresAt?.getTime() ?? null,
    revokedAt: row.revokedAt?.getTime() ?? null,
    // A snapshot of an older version has no such column.
    replacedBy: row.replacedBy ?? null,
  };
}

import type { KeyObject } from 'node:crypto';
import type { BrowserRow } from '../../db/directory/directory.ts';
import { isAllowedOrigin, isLocalhost, type OriginRules, originRules } from '../../domain/browser/origin.ts';
import type { Protection } from '../../domain/browser/protection.ts';
import { captchaSecretOwner, mintSecretOwner } from '../../domain/browser/secrets.ts';
import { mintSecretKey } from '../../domain/browser/signing-keys.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';

/** How web pages may send leads to a form. */
export interface BrowserEntry {
  readonly isEnabled: boolean;
  readonly publicKey: string;
  readonly origins: OriginRules;
  /** Until when any port of the developer's own machine is allowed too; 0 if it is not. */
  readonly localhostUntil: number;
  readonly protection: Protection;
  readonly captcha: { readonly siteKey: string; readonly secret: string } | null;
  /** What backends of the customer sign tokens with: the current one, and the previous one until it ends. */
  readonly mintSecrets: readonly MintSecret[];
  readonly epoch: number;
  readonly ttlSeconds: number;
  readonly hasNoScript: boolean;
  readonly thanksUrl: string | null;
}

interface MintSecret {
  readonly kid: string;
  readonly key: KeyObject;
  readonly validUntil: number;
}

/** A secret that cannot be decrypted is left out, so that the rest of the directory still loads. */
export function browserEntry(
  row: BrowserRow,
  secretBox: SecretBox,
  onUnreadable: (why: string) => void,
): BrowserEntry {
  const open = (sealed: Buffer | null, owner: string): string | null => {
    try {
      return sealed === null ? null : secretBox.open(sealed, owner);
    } catch (error) {
      onUnreadable((error as Error).message);
      return null;
    }
  };
  const mintOwner = mintSecretOwner(row.formId);
  const captchaSecret = open(row.captchaCiphertext, captchaSecretOwner(row.formId));
  const { captchaSiteKey: siteKey, previousMintSecretValidUntil: previousUntil } = row;
  return {
    isEnabled: row.enabled,
    publicKey: row.publicKey,
    origins: originRules(row.origins),
    localhostUntil: row.localhostUntil?.getTime() ?? 0,
    protection: row.protection,
    captcha: siteKey === null || captchaSecret === null ? null : { siteKey, secret: captchaSecret },
    mintSecrets: [
      mintSecret(open(row.mintSecretCiphertext, mintOwner), Number.POSITIVE_INFINITY),
      mintSecret(open(row.previousMintSecretCiphertext, mintOwner), previousUntil?.getTime() ?? 0),
    ].filter((secret) => secret !== null),
    epoch: row.epoch,
    ttlSeconds: row.ttlSeconds,
    hasNoScript: row.noScript,
    thanksUrl: row.thanksUrl,
  };
}

function mintSecret(secret: string | null, validUntil: number): MintSecret | null {
  return secret === null ? null : { ...mintSecretKey(secret), validUntil };
}

export function allowsOrigin({ origins, localhostUntil }: BrowserEntry, origin: string, at: number): boolean {
  return isAllowedOrigin(origins, origin) || (at < localhostUntil && isLocalhost(origin));
}

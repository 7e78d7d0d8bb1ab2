import type { BrowserSettings } from '../../contract/browser/settings.ts';
import type { BrowserSettingsRecord } from '../../db/browser/browser-settings.ts';
import { dummyKeys } from '../../domain/browser/dummy-keys.ts';
import { protectionDefault, tokenSeconds } from '../../domain/browser/protection.ts';
import type { ManagementDeps } from '../deps.ts';

/** As they are until something is set. */
export const defaultSettings: BrowserSettingsRecord = {
  enabled: false,
  publicKey: '',
  origins: [],
  localhostUntil: null,
  protection: protectionDefault,
  captchaSiteKey: null,
  captchaCiphertext: null,
  ttlSeconds: tokenSeconds.default,
  noScript: false,
  thanksUrl: null,
  epoch: 1,
  mintSecretSetAt: null,
  previousMintSecretValidUntil: null,
};

export async function viewSettings(
  deps: Pick<ManagementDeps, 'clock' | 'publicUrl' | 'browserSdk'>,
  record: BrowserSettingsRecord,
): Promise<BrowserSettings> {
  const now = deps.clock.now();
  const { captchaSiteKey: siteKey } = record;
  return {
    enabled: record.enabled,
    public_key: record.publicKey === '' ? null : record.publicKey,
    origins: [...record.origins],
    protection: record.protection,
    ttl_s: record.ttlSeconds,
    no_script: record.noScript,
    thanks_url: record.thanksUrl,
    captcha: siteKey === null ? null : { site_key: siteKey, has_secret: record.captchaCiphertext !== null },
    localhost_until: unlessPassed(record.localhostUntil, now),
    epoch: record.epoch,
    mint_secret: {
      set_at: record.mintSecretSetAt?.toISOString() ?? null,
      previous_valid_until: unlessPassed(record.previousMintSecretValidUntil, now),
    },
    sdk: await viewSdk(deps),
    dummy_keys: { ...dummyKeys },
  };
}

function unlessPassed(time: Date | null, now: number): string | null {
  return time === null || time.getTime() <= now ? null : time.toISOString();
}

async function viewSdk({
  publicUrl,
  browserSdk,
}: Pick<ManagementDeps, 'publicUrl' | 'browserSdk'>): Promise<BrowserSettings['sdk']> {
  const built = await browserSdk();
  const url = publicUrl().replace(/\/$/, '');
  return {
    url: `${url}/sdk/v1.js`,
    hashed_url: built === null ? null : url + built.hashedPath,
    integrity: built?.integrity ?? null,
  };
}

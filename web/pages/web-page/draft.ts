import type { BrowserSettings } from '../../../src/contract/browser/settings.ts';
import { isCaptcha, type Protection } from '../../../src/contract/browser/terms.ts';
import type { ApiForm } from '../../parts/api-form.tsx';

/** The settings while they are edited; what is not set is empty. */
export interface WebPageDraft extends Record<string, unknown> {
  readonly enabled: boolean;
  readonly origins: readonly string[];
  readonly localhost: boolean;
  readonly protection: Protection;
  /** The secret is empty unless it is to be replaced: the service never shows it. */
  readonly captcha: { readonly site_key: string; readonly secret: string };
  readonly ttl_s: number;
  readonly no_script: boolean;
  readonly thanks_url: string;
}

/** Each part of the settings edits some of them. */
export interface DraftProps {
  readonly form: ApiForm<WebPageDraft>;
  readonly stored: BrowserSettings;
  readonly isReadOnly: boolean;
}

export function draftOf(settings: BrowserSettings): WebPageDraft {
  const { enabled, origins, protection, captcha, ttl_s, no_script, thanks_url, localhost_until } = settings;
  return {
    enabled,
    origins,
    localhost: localhost_until !== null && Date.parse(localhost_until) > Date.now(),
    protection,
    captcha: { site_key: captcha?.site_key ?? '', secret: '' },
    ttl_s,
    no_script,
    thanks_url: thanks_url ?? '',
  };
}

/** The stored settings with what was changed here, so that what others change in the meantime stays. */
export function settingsOf(stored: BrowserSettings, before: WebPageDraft, after: WebPageDraft) {
  const isChanged = (name: string) => JSON.stringify(after[name]) !== JSON.stringify(before[name]);
  const changed = Object.fromEntries(Object.entries(after).filter(([name]) => isChanged(name)));
  const { captcha, localhost, ...rest }: WebPageDraft = { ...draftOf(stored), ...changed };
  const { site_key, secret } = captcha;
  return {
    enabled: rest.enabled,
    origins: [...rest.origins],
    protection: rest.protection,
    ttl_s: rest.ttl_s,
    no_script: rest.no_script,
    thanks_url: rest.thanks_url.trim() || null,
    // The 24 hours start when it is turned on, not with each save.
    ...(isChanged('localhost') ? { localhost } : {}),
    ...(isCaptcha(rest.protection) && site_key.trim() !== ''
      ? { captcha: { site_key: site_key.trim(), ...(secret === '' ? {} : { secret }) } }
      : {}),
  };
}

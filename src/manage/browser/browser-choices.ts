import type { BrowserSettingsInput } from '../../contract/browser/settings.ts';
import type { InputError } from '../../contract/problem.ts';
import type { BrowserChoices, BrowserSettingsRecord } from '../../db/browser/browser-settings.ts';
import { isCaptcha, localhostHours } from '../../domain/browser/protection.ts';
import { captchaSecretOwner } from '../../domain/browser/secrets.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { hourMs } from '../../time/clock.ts';
import { invalidInput } from '../calls/problem.ts';

/** What an owner wants to set, beside what is set, or a problem that names each member that does not fit. */
export function choicesOf(
  formId: string,
  wanted: BrowserSettingsInput,
  before: BrowserSettingsRecord,
  secretBox: SecretBox,
  now: number,
): BrowserChoices {
  const choices = {
    enabled: wanted.enabled,
    origins: wanted.origins,
    localhostUntil: localhostUntil(wanted, before, now),
    protection: wanted.protection,
    ...captchaKeys(formId, wanted, before, secretBox),
    ttlSeconds: wanted.ttl_s,
    noScript: wanted.no_script,
    // In the spelling of a Location header, which has only ASCII.
    thanksUrl: wanted.thanks_url === null ? null : new URL(wanted.thanks_url).href,
  };
  const errors = [...originErrors(choices), ...noScriptErrors(choices), ...captchaErrors(choices, wanted)];
  if (errors.length > 0) throw invalidInput(errors);
  return choices;
}

/** Saving something else neither prolongs it nor ends it. */
function localhostUntil(
  { localhost }: BrowserSettingsInput,
  { localhostUntil: until }: BrowserSettingsRecord,
  now: number,
): Date | null {
  if (localhost === true) return new Date(now + localhostHours * hourMs);
  return localhost === false || until === null || until.getTime() <= now ? null : until;
}

type CaptchaKeys = Pick<BrowserChoices, 'captchaSiteKey' | 'captchaCiphertext'>;

const noKeys: CaptchaKeys = { captchaSiteKey: null, captchaCiphertext: null };

function captchaKeys(
  formId: string,
  { captcha, protection }: BrowserSettingsInput,
  before: BrowserSettingsRecord,
  secretBox: SecretBox,
): CaptchaKeys {
  // A secret is sent only to the service that it was entered for, so it does not outlive its protection.
  const isKept = isCaptcha(protection) && protection === before.protection;
  const { captchaSiteKey, captchaCiphertext } = isKept ? before : noKeys;
  if (!isCaptcha(protection)) return noKeys;
  if (captcha === undefined) return { captchaSiteKey, captchaCiphertext };
  const sealed =
    captcha.secret === undefined ? null : secretBox.seal(captcha.secret, captchaSecretOwner(formId));
  return { captchaSiteKey: captcha.site_key, captchaCiphertext: sealed ?? captchaCiphertext };
}

function originErrors({ enabled, origins, localhostUntil: until }: BrowserChoices): InputError[] {
  if (!enabled || origins.length > 0 || until !== null) return [];
  return [{ field: 'origins', message: 'add the origin of at least one page, or turn this off' }];
}

function noScriptErrors({ noScript, thanksUrl }: BrowserChoices): InputError[] {
  if (!noScript || thanksUrl !== null) return [];
  return [{ field: 'thanks_url', message: 'is required with no_script: browsers without script go there' }];
}

function captchaErrors(
  { protection, captchaSiteKey, captchaCiphertext }: BrowserChoices,
  { captcha }: BrowserSettingsInput,
): InputError[] {
  if (!isCaptcha(protection)) return [];
  if (captchaSiteKey === null)
    return [{ field: 'captcha', message: `the protection ${protection} needs a site key and a secret` }];
  if (captchaCiphertext !== null) return [];
  const field = captcha === undefined ? 'captcha' : 'captcha.secret';
  return [{ field, message: `the protection ${protection} needs the secret of the site key` }];
}

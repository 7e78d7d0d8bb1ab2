/** What a page must show before it gets a token. `work` is a proof of work, the next two are services of third parties. */
export const protections = ['work', 'turnstile', 'hcaptcha', 'none'] as const;
export type Protection = (typeof protections)[number];
export const protectionDefault: Protection = 'work';

export type CaptchaProvider = Extract<Protection, 'turnstile' | 'hcaptcha'>;

export function isCaptcha(protection: Protection): protection is CaptchaProvider {
  return protection === 'turnstile' || protection === 'hcaptcha';
}

/** How the holder of a token proved themselves when it was minted. `fast_work` took less time than any device needs. */
export const proofKinds = [...protections, 'fast_work', 'backend'] as const;
export type ProofKind = (typeof proofKinds)[number];

/** How long a token is valid. */
export const tokenSeconds = { default: 120, min: 60, max: 300 } as const;
export const challengeSeconds = 300;

/** How long http://localhost stays allowed once it is turned on. */
export const localhostHours = 24;

/** Per minute. A network is an IPv4 address or an IPv6 /64. */
export const mintsPerNetworkMax = 30;
export const mintsPerFormMax = 5_000;

/** Of the path without script. */
export const noScriptPerNetworkAndHourMax = 60;
export const noScriptPerFormAndDayMax = 1_000;

import { hash } from 'node:crypto';
import { googleKeyIn, isGoogleKey, withoutGoogleKey } from '../domain/senders/google-key.ts';
import { secondMs } from '../time/clock.ts';
import type { Arrival } from './arrive.ts';
import { KnownSenderRejection, SignatureRejection } from './rejection.ts';
import { validSecrets } from './webhook-signature.ts';

/** After a wrong key, a form waits this long, so that strangers cause next to no work. */
const afterFailureMs = secondMs;

/**
 * Recognises calls of Google Ads, which carry the secret of the form in their body. Runs after the answer, because only a known
 * form has a secret to compare with. The key is overwritten in either case: a body that is kept contains no credential.
 */
export class GoogleCalls {
  readonly #failedAt = new Map<string, number>();

  recognise(
    rejection: SignatureRejection,
    { headers, at }: Pick<Arrival, 'headers' | 'at'>,
  ): SignatureRejection | KnownSenderRejection {
    const { form, body } = rejection;
    const place = headers.signature === undefined ? googleKeyIn(body) : null;
    if (place === null) return rejection;
    const clean = withoutGoogleKey(body, place);
    const mayAsk = at - (this.#failedAt.get(form.id) ?? 0) >= afterFailureMs;
    if (mayAsk && isGoogleKey(body, place, validSecrets(form, at)))
      return new KnownSenderRejection(
        { sender: 'google_ads', digest: hash('sha256', clean, 'buffer') },
        form,
        clean,
      );
    if (mayAsk) this.#failedAt.set(form.id, at);
    return new SignatureRejection(rejection, form, clean);
  }
}

import { request as sendRequest } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { type CaptchaQuestion, captchaFields, isConfirmed } from '../../domain/browser/mint/captcha.ts';
import type { CaptchaProvider } from '../../domain/browser/protection.ts';
import { type Clock, secondMs } from '../../time/clock.ts';
import { acceptEncoding, readAnswerBody } from '../answer-body.ts';
import { HostAddresses } from '../delivery/host-addresses.ts';
import type { Egress } from '../egress.ts';

export interface CaptchaChecksDeps {
  readonly urls: Readonly<Record<CaptchaProvider, string>>;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

const checkMsMax = 5 * secondMs;
const replyBytesMax = 16_384;
const openMax = 200;
/** So that the visitors of one form cannot keep out those of all others while a third party is slow. */
const openPerFormMax = 50;
const userAgent = 'Leadgate/1 (confirms visitors of web pages)';

/**
 * Asks Turnstile and hCaptcha about visitors. The URLs are the operator's, so they may be anywhere; owners and pages have no
 * say in them. Redirects are not followed. Any failure means that the visitor is not confirmed; nothing throws.
 */
export class CaptchaChecks {
  readonly #deps: CaptchaChecksDeps;
  readonly #addresses: HostAddresses;
  readonly #openPerForm = new Map<string, number>();
  readonly #stopping = new AbortController();
  #open = 0;

  constructor(deps: CaptchaChecksDeps) {
    this.#deps = deps;
    this.#addresses = new HostAddresses(deps.egress.names, deps.clock);
  }

  /** `busy` if too many are open. */
  async verify(question: CaptchaQuestion): Promise<boolean | 'busy'> {
    const { formId, provider } = question;
    if (this.#open >= openMax || (this.#openPerForm.get(formId) ?? 0) >= openPerFormMax) return 'busy';
    this.#count(formId, 1);
    try {
      return isConfirmed(await this.#ask(question), question);
    } catch (error) {
      this.#deps.log.warn(
        { why: (error as Error).message, form_id: formId, provider },
        'captcha not checked',
      );
      return false;
    } finally {
      this.#count(formId, -1);
    }
  }

  /** Abandons what is open. */
  stop(): void {
    this.#stopping.abort(new Error('the service stops'));
  }

  async #ask(question: CaptchaQuestion): Promise<unknown> {
    const late = new AbortController();
    const cancel = this.#deps.clock.deadline(checkMsMax, () => late.abort(new Error('no response in time')));
    try {
      return await this.#exchange(question, AbortSignal.any([late.signal, this.#stopping.signal]));
    } finally {
      cancel();
    }
  }

  async #exchange(question: CaptchaQuestion, signal: AbortSignal): Promise<unknown> {
    const url = new URL(this.#deps.urls[question.provider]);
    const address = await this.#addressOf(url);
    signal.throwIfAborted();
    const isSecure = url.protocol === 'https:';
    const port = Number(url.port) || (isSecure ? 443 : 80);
    const serverName = isSecure ? url.hostname : null;
    const body = Buffer.from(captchaFields(question).toString());
    return new Promise((resolve, reject) => {
      const outgoing = sendRequest(
        {
          method: 'POST',
          host: url.hostname,
          path: url.pathname + url.search,
          headers: {
            host: url.host,
            'user-agent': userAgent,
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': body.length,
            'accept-encoding': acceptEncoding,
            connection: 'close',
          },
          signal,
          createConnection: () => this.#deps.egress.dial({ address, port, serverName }),
        },
        (message) => {
          void readAnswerBody(message, replyBytesMax).then(parsed).then(resolve, reject);
        },
      );
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      outgoing.on('error', () => reject(new Error('the connection failed')));
      // A protocol upgrade would leave the request hanging.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error('the server changed the protocol'));
      });
      outgoing.end(body);
    });
  }

  async #addressOf({ hostname }: URL): Promise<string> {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const [address] = isIP(host) === 0 ? await this.#addresses.of(host, 'machine') : [host];
    if (address === undefined) throw new Error('the host has no address');
    return address;
  }

  #count(formId: string, by: number): void {
    this.#open += by;
    const count = (this.#openPerForm.get(formId) ?? 0) + by;
    if (count === 0) this.#openPerForm.delete(formId);
    else this.#openPerForm.set(formId, count);
  }
}

function parsed(reply: Awaited<ReturnType<typeof readAnswerBody>>): unknown {
  if (reply.kind !== 'whole') throw new Error('the response cannot be read');
  return JSON.parse(reply.bytes.toString());
}

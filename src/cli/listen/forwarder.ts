import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { webhookHeaders, webhookKey } from '../../domain/destination/request/webhook-signature.ts';
import type { Output } from '../output.ts';

export interface Forwarded {
  readonly status: number;
  readonly took_ms: number;
}

const timeoutMs = 15_000;
const pausesMs = [500, 1_000, 2_000, 5_000] as const;

/** Posts signed events to a server on this machine, one at a time. */
export class Forwarder {
  readonly #url: string;
  readonly #key: KeyObject;
  readonly #out: Output;

  constructor(url: string, secret: string, out: Output) {
    this.#url = url;
    this.#key = webhookKey(secret);
    this.#out = out;
  }

  /** Tries until there is a response, whatever its status: the server may be restarting. */
  async send(webhookId: string, body: Buffer): Promise<Forwarded> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#try(webhookId, body);
      } catch (error) {
        if (tries === 0)
          this.#out.note(`${whyText(this.#url, error as Error)} Trying again until it responds.`);
        await sleep(pausesMs[Math.min(tries, pausesMs.length - 1)]);
      }
    }
  }

  async #try(id: string, body: Buffer): Promise<Forwarded> {
    const startMs = performance.now();
    const response = await fetch(this.#url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...webhookHeaders({ id, at: new Date(), body }, [this.#key]),
      },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const took_ms = Math.round(performance.now() - startMs);
    await response.body?.cancel();
    return { status: response.status, took_ms };
  }
}

function whyText(url: string, error: Error): string {
  if (error.name === 'TimeoutError') return `${url} did not respond within ${timeoutMs / 1000} seconds.`;
  const { cause } = error as { cause?: { code?: string; message?: string } };
  const why = cause?.code ?? cause?.message ?? error.message;
  return `${url} does not respond (${why}). Start your server, or check the URL.`;
}

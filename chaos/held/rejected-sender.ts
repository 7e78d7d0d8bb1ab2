import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { leadBody } from '../../bench/load/lead.ts';
import { sign } from '../../src/domain/signature.ts';
import type { Random } from '../../src/time/random.ts';
import type { Sender } from '../load/order.ts';
import type { Manner, SentRequest } from './held-check.ts';

const betweenMs = 15;
const retryMs = 200;
const answerMsMax = 10_000;
/** Some are admitted before, some while the retry waits in a spool, some never. */
const retriedMsMax = 4_000;
/** Well outside the five minutes. */
const lateSeconds = 3_600;

/** Sends requests that are rejected, of a sender who is proven or of strangers. */
export class RejectedSender {
  readonly sent: SentRequest[] = [];
  provenAttempts = 0;
  readonly #sender: Sender;
  readonly #ports: readonly number[];
  readonly #random: Random;
  readonly #underWay = new Set<Promise<void>>();
  #isFinishing = false;
  #running: Promise<void> | null = null;

  constructor(sender: Sender, ports: readonly number[], random: Random) {
    this.#sender = sender;
    this.#ports = ports;
    this.#random = random;
  }

  start(): void {
    this.#running = this.#run();
  }

  async finish(): Promise<void> {
    this.#isFinishing = true;
    await this.#running;
    await Promise.all(this.#underWay);
  }

  async #run(): Promise<void> {
    for (let number = 0; !this.#isFinishing; number++) {
      const work = this.#send(number).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
      await sleep(betweenMs);
    }
  }

  async #send(number: number): Promise<void> {
    const manner = this.#random.pick<Manner>(['late', 'late', 'repeated', 'retried', 'retried', 'forged']);
    const body = Buffer.from(`${leadBody(number).slice(0, -1)},"marker":"${randomUUID()}"}`);
    const request: SentRequest = {
      bodySha256: createHash('sha256').update(body).digest('hex'),
      manner,
      told: null,
    };
    this.sent.push(request);
    const key = manner === 'retried' ? `held-${randomUUID()}` : null;
    if (manner === 'repeated') request.told = await this.#sendUntilAccepted(body, `held-${randomUUID()}`);
    const isForged = manner === 'forged';
    const ageSeconds = isForged && this.#random.chance(0.3) ? 0 : lateSeconds;
    await this.#post(body, isForged ? randomUUID() : this.#sender.secret, ageSeconds, key);
    if (key === null) return;
    await sleep(this.#random.between(0, retriedMsMax));
    request.told = await this.#sendUntilAccepted(body, key);
  }

  async #sendUntilAccepted(body: Buffer, key: string): Promise<string> {
    for (;;) {
      const told = await this.#post(body, this.#sender.secret, 0, key);
      if (told !== null) return told;
      await sleep(retryMs);
    }
  }

  /** The ID of the lead; null unless it was accepted. */
  async #post(body: Buffer, secret: string, ageSeconds: number, key: string | null): Promise<string | null> {
    if (secret === this.#sender.secret) this.provenAttempts++;
    const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
    const headers = {
      'content-type': 'application/json',
      'x-svc-timestamp': timestamp,
      'x-svc-signature': sign(secret, timestamp, body).toString('hex'),
      ...(key === null ? {} : { 'x-svc-idempotency-key': key }),
    };
    try {
      const url = `http://127.0.0.1:${this.#random.pick(this.#ports)}/api/v1/ingest/${this.#sender.slug}`;
      const signal = AbortSignal.timeout(answerMsMax);
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      const text = await response.text();
      return response.status === 202 ? JSON.parse(text).submission_id : null;
    } catch {
      return null;
    }
  }
}

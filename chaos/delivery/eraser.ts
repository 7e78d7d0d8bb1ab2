import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { leadBody } from '../../bench/load/lead.ts';
import { operatorKey } from '../../bench/seed.ts';
import type { Random } from '../../src/time/random.ts';
import type { Sender } from '../load/order.ts';

/** A lead that was erased, and when that was confirmed; null if the response was lost. */
export interface Erased {
  readonly submissionId: string;
  readonly workspaceId: string;
  readonly at: number | null;
}

const betweenMs = 400;
const retryMs = 200;
/** Some are erased before the relay knows them, some when they have been delivered. */
const ageMsMax = 1_500;
const answerMsMax = 10_000;

/** Sends leads and erases them soon after. They are not in the ledger of the load, and none of them is left in the end. */
export class Eraser {
  readonly erased: Erased[] = [];
  readonly #senders: readonly Sender[];
  readonly #ports: readonly number[];
  readonly #random: Random;
  readonly #underWay = new Set<Promise<void>>();
  #isFinishing = false;
  /** Nothing is in transit any more, so a lead that is not found was erased. */
  #isQuiet = false;
  #running: Promise<void> | null = null;

  constructor(senders: readonly Sender[], ports: readonly number[], random: Random) {
    this.#senders = senders;
    this.#ports = ports;
    this.#random = random;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Call when the spools are empty. */
  async finish(): Promise<void> {
    await this.stop();
    this.#isQuiet = true;
    await Promise.all(this.#underWay);
  }

  /** Sends no more leads. */
  async stop(): Promise<void> {
    this.#isFinishing = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let number = 0; !this.#isFinishing; number++) {
      const work = this.#sendAndErase(number).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
      await sleep(betweenMs);
    }
  }

  async #sendAndErase(number: number): Promise<void> {
    const sender = this.#random.pick(this.#senders);
    const submissionId = await this.#send(sender, number);
    await sleep(this.#random.between(0, ageMsMax));
    const path = `/api/v1/workspaces/${sender.workspaceId}/leads/${submissionId}`;
    for (;;) {
      const response = await this.#call(path, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${operatorKey}` },
      });
      // Not found: it may be in a spool, or a response was lost.
      const isErased = response?.ok === true;
      if (isErased || (response?.status === 404 && this.#isQuiet)) {
        const { workspaceId } = sender;
        this.erased.push({ submissionId, workspaceId, at: isErased ? Date.now() : null });
        return;
      }
      await sleep(retryMs);
    }
  }

  /** Until it is accepted. Returns its ID. */
  async #send({ token }: Sender, number: number): Promise<string> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-svc-idempotency-key': `erased-${randomUUID()}`,
    };
    for (;;) {
      const response = await this.#call('/api/v1/ingest', {
        method: 'POST',
        headers,
        body: leadBody(number),
      });
      if (response?.status === 202) return response.submissionId;
      await sleep(retryMs);
    }
  }

  async #call(
    path: string,
    request: RequestInit,
  ): Promise<{ readonly ok: boolean; readonly status: number; readonly submissionId: string } | null> {
    try {
      const signal = AbortSignal.timeout(answerMsMax);
      const response = await fetch(`http://127.0.0.1:${this.#random.pick(this.#ports)}${path}`, {
        ...request,
        signal,
      });
      const text = await response.text();
      const body = response.status === 202 ? JSON.parse(text) : {};
      return { ok: response.ok, status: response.status, submissionId: body.submission_id };
    } catch {
      return null;
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { operatorKey } from '../../bench/seed.ts';
import type { Random } from '../../src/time/random.ts';
import type { Admitted } from './held-check.ts';

const betweenMs = 100;
const retryMs = 200;
const answerMsMax = 15_000;
/** Admissions of a selection, compared with single ones. */
const bulkShare = 0.1;
const discardShare = 0.2;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Decides about held submissions: clicks twice, on two instances, and repeats whatever got no response. */
export class Owner {
  readonly admitted: Admitted[] = [];
  readonly discarded: string[] = [];
  readonly #at: string;
  readonly #ports: readonly number[];
  readonly #random: Random;
  #isFinishing = false;
  #running: Promise<void> | null = null;

  constructor(workspaceId: string, ports: readonly number[], random: Random) {
    this.#at = `/workspaces/${workspaceId}/held`;
    this.#ports = ports;
    this.#random = random;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isFinishing = true;
    await this.#running;
  }

  /** Admits what is left, until there is nothing more. */
  async admitAll(): Promise<void> {
    for (;;) {
      const started = await this.#until('POST', '/admissions', {});
      if (started.status !== 202) throw new Error(`an admission answered ${started.status}`);
      const path = `/admissions/${started.body.id}`;
      for (;;) {
        const { body } = await this.#until('GET', path);
        if (body.state !== 'running') break;
        await sleep(retryMs);
      }
      const { body } = await this.#until('POST', '/admissions', { dry_run: true });
      if (body.count === 0) return;
    }
  }

  async #run(): Promise<void> {
    for (; !this.#isFinishing; await sleep(betweenMs)) {
      const listed = await this.#call('GET', '?limit=20');
      const items = (listed?.body.items ?? []) as readonly { readonly id: string }[];
      if (items.length === 0) continue;
      const { id } = this.#random.pick(items);
      if (this.#random.chance(bulkShare)) await this.#call('POST', '/admissions', {});
      else if (this.#random.chance(discardShare)) await this.#discard(id);
      else await Promise.all([this.#admit(id), this.#admit(id)]);
    }
  }

  async #admit(id: string): Promise<void> {
    const answer = await this.#call('POST', `/${id}/admission`, {});
    if (answer?.status === 201)
      this.admitted.push({ heldId: id, submissionId: String(answer.body.submission_id) });
  }

  async #discard(id: string): Promise<void> {
    const answer = await this.#call('POST', `/${id}/discard`, {});
    if (answer?.status === 204) this.discarded.push(id);
  }

  async #until(method: string, path: string, body?: object): Promise<Answer> {
    for (;;) {
      const answer = await this.#call(method, path, body);
      if (answer !== null && answer.status < 500 && answer.status !== 429) return answer;
      await sleep(retryMs);
    }
  }

  async #call(method: string, path: string, body?: object): Promise<Answer | null> {
    try {
      const port = this.#random.pick(this.#ports);
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${this.#at}${path}`, {
        method,
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerMsMax),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
    } catch {
      return null;
    }
  }
}

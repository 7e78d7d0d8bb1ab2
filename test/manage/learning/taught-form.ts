import { expect } from 'vitest';
import type { FormLearning } from '../../../src/contract/scoring/learning.ts';
import { eventually } from '../../support/diagnostics.ts';
import type { TestService } from '../../support/service.ts';
import type { Seed } from '../leads/seed.ts';

const topics = 'roof floor door wall stair lamp chair table shelf window garden kitchen cellar attic'.split(
  ' ',
);
const topic = (n: number) => topics[n % topics.length];
const letters = (n: number) => n.toString(26).replace(/\d/g, (digit) => 'qwertzuiop'[Number(digit)] ?? '');

/** Leads in different words, as most forms get them. */
export const ordinary = (n: number) => ({
  name: 'Ada Lovelace',
  email: `ada${n}@company-${n}.de`,
  message: `Hello, we need an offer for the ${topic(n)} and ${topic(n * 5 + 3)} of our ${topic(n * 3 + 1)} in ${letters(n)}town`,
});

/** Leads about one thing, in different words. No rule of the scorer knows it. */
export const drones = (n: number) => ({
  name: 'Grace Hopper',
  email: `grace${n}@fleet-${n}.de`,
  message: `Hello, our drone pilots photograph the ${topic(n)} and ${topic(n * 5 + 2)} from the aerial side of ${letters(n)}town and ${letters(n)}ville`,
});

export const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

type Api = TestService['api'];

/** A form, whose leads can be marked by anyone who may. */
export class TaughtForm {
  readonly #service: TestService;
  readonly #seed: Seed;
  readonly workspaceId: string;
  readonly formId: string;

  constructor(service: TestService, seed: Seed, workspaceId: string, formId: string) {
    this.#service = service;
    this.#seed = seed;
    this.workspaceId = workspaceId;
    this.formId = formId;
  }

  get path(): string {
    return `/workspaces/${this.workspaceId}/forms/${this.formId}/scoring`;
  }

  async leads(all: readonly object[]): Promise<string[]> {
    const ids: string[] = [];
    for (const fields of all)
      ids.push(await this.#seed.lead(this.workspaceId, { form_id: this.formId, fields }));
    return ids;
  }

  async mark(ids: readonly string[], mark: string | null, api: Api = this.#service.api): Promise<void> {
    for (const id of ids) {
      const { status, text } = await api('PUT', `/workspaces/${this.workspaceId}/leads/${id}/mark`, { mark });
      expect(status, text).toBe(200);
    }
  }

  async learning(): Promise<FormLearning> {
    const { status, json, text } = await this.#service.api('GET', `${this.path}/learning`);
    expect(status, text).toBe(200);
    return json;
  }

  async until(isThere: (learning: FormLearning) => boolean): Promise<FormLearning> {
    const found = await eventually(() => this.learning(), isThere, 20_000);
    expect(isThere(found), JSON.stringify(found)).toBe(true);
    return found;
  }

  /** When every mark was learned from. */
  async settled(): Promise<FormLearning> {
    const due = 'select count(*)::int as count from form_learning where form_id = $1 and due_at is not null';
    const count = async () => (await this.#seed.query(due, [this.formId]))[0].count;
    expect(await eventually(count, (left) => left === 0, 20_000)).toBe(0);
    return this.learning();
  }
}

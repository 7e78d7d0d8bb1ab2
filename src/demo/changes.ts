import type { Api } from '../cli/api.ts';
import { suspensionReason } from './cast.ts';
import type { DemoSender, Place } from './sender.ts';
import { addForm, type Stage } from './stage.ts';

/** Something that happens in the demo's past. */
export interface DemoEvent {
  readonly daysAgo: number;
  readonly happen: () => Promise<void>;
}

const lead =
  '{"name":"Jonas Weber","email":"jonas.weber@tidewaterfoods.com","message":"Is this offer still on?"}';
const landing = { name: 'Old landing page', slug: 'brightwater-landing', perDay: 0, topics: [] };
const perDay = 2;

/**
 * What owners and operators did in the month. Senders that have not noticed go on using what was revoked, deleted or
 * closed, here as in life.
 */
export class Changes {
  readonly #api: Api;
  readonly #sender: DemoSender;
  readonly #stages: readonly Stage[];
  #former: Pick<Place, 'token'> | null = null;
  #deleted: Stage | null = null;

  constructor(api: Api, sender: DemoSender, stages: readonly Stage[]) {
    this.#api = api;
    this.#sender = sender;
    this.#stages = stages;
  }

  get events(): DemoEvent[] {
    const spring = this.#stageOf('brightwater-spring');
    const drivers = this.#stageOf('cobalt-drivers');
    return [
      { daysAgo: 20, happen: () => this.#replaceTokens() },
      ...this.#stillSent(20, () => this.#byToken(this.#former)),
      { daysAgo: 11, happen: () => this.#deleteForms() },
      ...this.#stillSent(11, () => this.#byToken(this.#deleted)),
      { daysAgo: 5, happen: () => this.#change(spring, `/forms/${spring.formId}`, { active: false }) },
      ...this.#stillSent(5, () => this.#sender.signed(spring, lead)),
      {
        daysAgo: 3,
        happen: () => this.#change(drivers, '', { status: 'suspended', reason: suspensionReason }),
      },
      ...this.#stillSent(3, () => this.#byToken(drivers)),
    ];
  }

  #stageOf(slug: string): Stage {
    return this.#stages.find((stage) => stage.slug === slug) as Stage;
  }

  #stillSent(sinceDaysAgo: number, happen: () => Promise<void>): DemoEvent[] {
    return Array.from({ length: sinceDaysAgo * perDay }, (_, n) => ({
      daysAgo: sinceDaysAgo - (n + 0.7) / perDay,
      happen,
    }));
  }

  async #byToken(place: Pick<Place, 'token'> | null): Promise<void> {
    if (place !== null) await this.#sender.byToken(place, lead);
  }

  async #change({ workspaceId }: Stage, path: string, body: object): Promise<void> {
    await this.#api.send('PATCH', `/workspaces/${workspaceId}${path}`, body);
  }

  /** One token is revoked, and one of the wrong type is tried. */
  async #replaceTokens(): Promise<void> {
    const { workspaceId, formId } = this.#stageOf('brightwater-contact');
    const path = `/workspaces/${workspaceId}/tokens`;
    const create = (name: string, more: object) =>
      this.#api.send<{ id: string; token: string }>('POST', path, { name, form_id: formId, ...more });
    const former = await create('Former backend', {});
    await this.#byToken(former);
    await this.#api.remove(`${path}/${former.id}`);
    this.#former = former;
    await this.#byToken(await create('Web shop', { type: 'browser' }));
  }

  /** Two workspaces use the same slug for a while, so that a webhook cannot tell whom it is for. */
  async #deleteForms(): Promise<void> {
    const owners = [this.#stageOf('brightwater-contact'), this.#stageOf('cobalt-drivers')];
    const twins: Stage[] = [];
    for (const { workspaceId: id, workspace: name } of owners)
      twins.push(await addForm(this.#api, { id, name }, landing, undefined, { allow_shared_slug: true }));
    const [deleted] = twins as [Stage];
    await this.#sender.signed(deleted, lead);
    for (const { workspaceId, formId } of twins)
      await this.#api.remove(`/workspaces/${workspaceId}/forms/${formId}`);
    this.#deleted = deleted;
  }
}

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
export const deactivatedDaysAgo = 5;

/**
 * What owners and operators did during the month. As in real life, some senders keep using what was revoked, deleted or closed.
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
      { daysAgo: deactivatedDaysAgo, happen: () => this.#deactivate(spring) },
      ...this.#stillSent(deactivatedDaysAgo, () => this.#sender.signed(spring, lead)),
      {
        daysAgo: 3,
        happen: () => this.#suspend(drivers),
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

  async #deactivate({ workspaceId, formId }: Stage): Promise<void> {
    await this.#api.call('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
      params: { workspace_id: workspaceId, form_id: formId },
      body: { active: false },
    });
  }

  async #suspend({ workspaceId }: Stage): Promise<void> {
    await this.#api.call('PATCH', '/workspaces/:workspace_id', {
      params: { workspace_id: workspaceId },
      body: { status: 'suspended', reason: suspensionReason },
    });
  }

  /** Revokes one token, and uses one of the wrong type. */
  async #replaceTokens(): Promise<void> {
    const { workspaceId, formId } = this.#stageOf('brightwater-contact');
    const params = { workspace_id: workspaceId };
    const create = (name: string, type: 'server' | 'browser') =>
      this.#api.call('POST', '/workspaces/:workspace_id/tokens', {
        params,
        body: { name, form_id: formId, type },
      });
    const former = await create('Former backend', 'server');
    await this.#byToken(former);
    await this.#api.call('DELETE', '/workspaces/:workspace_id/tokens/:token_id', {
      params: { ...params, token_id: former.id },
    });
    this.#former = former;
    await this.#byToken(await create('Web shop', 'browser'));
  }

  /** Two workspaces share a slug for a while, which makes its webhooks ambiguous. */
  async #deleteForms(): Promise<void> {
    const owners = [this.#stageOf('brightwater-contact'), this.#stageOf('cobalt-drivers')];
    const twins: Stage[] = [];
    for (const { workspaceId: id, workspace: name } of owners)
      twins.push(await addForm(this.#api, { id, name }, landing, undefined, { allow_shared_slug: true }));
    const [deleted] = twins as [Stage];
    await this.#sender.signed(deleted, lead);
    for (const { workspaceId, formId } of twins)
      await this.#api.call('DELETE', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: workspaceId, form_id: formId },
      });
    this.#deleted = deleted;
  }
}

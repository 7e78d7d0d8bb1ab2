import type { Form } from '../contract/forms/form.ts';
import type { Api } from './api.ts';

/** What is shown of a form. */
type KnownForm = Pick<Form, 'id' | 'slug' | 'name'>;

/** Forms by id, read again when an unknown one appears. Deleted forms are null. */
export class KnownForms {
  readonly #api: Api;
  readonly #workspaceId: string;
  #forms = new Map<string, KnownForm | null>();

  constructor(api: Api, workspaceId: string) {
    this.#api = api;
    this.#workspaceId = workspaceId;
  }

  async of(ids: readonly string[]): Promise<ReadonlyMap<string, KnownForm | null>> {
    if (ids.every((id) => this.#forms.has(id))) return this.#forms;
    const forms = await this.#api.list('/workspaces/:workspace_id/forms', {
      params: { workspace_id: this.#workspaceId },
    });
    for (const form of forms) this.#forms.set(form.id, form);
    // Do not ask again each time for deleted forms.
    for (const id of ids) if (!this.#forms.has(id)) this.#forms.set(id, null);
    return this.#forms;
  }
}

import type { Api } from '../api.ts';

/** Form slugs by id, read again when an unknown form appears. */
export class FormSlugs {
  readonly #api: Api;
  readonly #workspaceId: string;
  #slugs = new Map<string, string | null>();

  constructor(api: Api, workspaceId: string) {
    this.#api = api;
    this.#workspaceId = workspaceId;
  }

  async of(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    if (ids.every((id) => this.#slugs.has(id))) return this.#slugs;
    const forms = await this.#api.list('/workspaces/:workspace_id/forms', {
      params: { workspace_id: this.#workspaceId },
    });
    for (const { id, slug } of forms) this.#slugs.set(id, slug);
    // Do not ask again each time for deleted forms.
    for (const id of ids) if (!this.#slugs.has(id)) this.#slugs.set(id, null);
    return this.#slugs;
  }
}

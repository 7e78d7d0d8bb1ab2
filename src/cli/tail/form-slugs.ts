import type { Api } from '../api.ts';

/** The slugs of forms by their ids, asked for again when a form is new. */
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
    // Those that are deleted by now are not asked for each time.
    for (const id of ids) if (!this.#slugs.has(id)) this.#slugs.set(id, null);
    return this.#slugs;
  }
}

import type { FormerSlugRow } from '../../db/directory/directory.ts';

// Most unknown slugs are nobody's, and a flood of them should cost no allocations.
const none: readonly FormerSlugRow[] = [];

/**
 * Slugs that forms gave up. They are read and replaced by workspace: when a form takes a former slug of another form, only the
 * one that takes it has a new revision.
 */
export class FormerSlugs {
  readonly #slugsByWorkspace = new Map<string, readonly FormerSlugRow[]>();
  /** More than one form if workspaces shared the slug. */
  readonly #rowsBySlug = new Map<string, readonly FormerSlugRow[]>();

  rowsOf(slug: string): readonly FormerSlugRow[] {
    return this.#rowsBySlug.get(slug) ?? none;
  }

  aliasesOf(slug: string, at: number): readonly FormerSlugRow[] {
    return this.rowsOf(slug).filter(({ aliasUntil }) => aliasUntil != null && at < aliasUntil.getTime());
  }

  /** `rows` are all former slugs of these workspaces. */
  replace(workspaceIds: ReadonlySet<string>, rows: readonly FormerSlugRow[]): void {
    for (const id of workspaceIds) {
      for (const row of this.#slugsByWorkspace.get(id) ?? []) this.#remove(row);
      this.#slugsByWorkspace.delete(id);
    }
    for (const [id, own] of Map.groupBy(rows, ({ workspaceId }) => workspaceId)) {
      this.#slugsByWorkspace.set(id, own);
      for (const row of own) this.#rowsBySlug.set(row.slug, [...this.rowsOf(row.slug), row]);
    }
  }

  #remove(row: FormerSlugRow): void {
    const others = this.rowsOf(row.slug).filter((other) => other !== row);
    if (others.length === 0) this.#rowsBySlug.delete(row.slug);
    else this.#rowsBySlug.set(row.slug, others);
  }
}

/**
 * Room in memory for what waits to be written. A workspace gets at most half of what the others leave, so that there is always
 * some left for the next one, however long PostgreSQL is down.
 */
export class FairRoom {
  readonly #max: number;
  readonly #ofWorkspaces = new Map<string, number>();
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get used(): number {
    return this.#used;
  }

  hasRoom(workspaceId: string, size: number): boolean {
    const own = this.#ofWorkspaces.get(workspaceId) ?? 0;
    const left = this.#max - (this.#used - own);
    return own + size <= left / 2;
  }

  /** Less than zero for what is written. */
  add(workspaceId: string, size: number): void {
    this.#used += size;
    const own = (this.#ofWorkspaces.get(workspaceId) ?? 0) + size;
    if (own > 0) this.#ofWorkspaces.set(workspaceId, own);
    else this.#ofWorkspaces.delete(workspaceId);
  }
}

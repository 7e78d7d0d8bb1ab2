import type { Submission } from './submission.ts';

/** The leads of a workspace that are under way, all of them in lanes of one kind. */
export interface Underway {
  isAny: boolean;
  isLarge: boolean;
  count: number;
  /** Large leads, and those after them, which wait until the small ones are done. */
  readonly parked: Submission[];
}

const idleMax = 10_000;

/**
 * The workspaces that have sent leads lately. Those without leads under way stay in the map: one whose entries come and go
 * leaves copies of itself behind, which keep the entries in memory until V8 collects its old objects.
 */
export class UnderwayWorkspaces {
  readonly #workspaces = new Map<Buffer, Underway>();
  #active = 0;

  /** With leads under way. */
  get active(): number {
    return this.#active;
  }

  get known(): number {
    return this.#workspaces.size;
  }

  /** The map compares buffers by identity. A workspace keeps the same buffer until it is changed. */
  of(workspaceId: Buffer): Underway {
    const known = this.#workspaces.get(workspaceId);
    if (known !== undefined) return known;
    if (this.#workspaces.size >= this.#active + idleMax) this.#forgetIdle();
    const underway = { isAny: false, isLarge: false, count: 0, parked: [] };
    this.#workspaces.set(workspaceId, underway);
    return underway;
  }

  begin(underway: Underway, isLarge: boolean): void {
    underway.isAny = true;
    underway.isLarge = isLarge;
    this.#active++;
  }

  end(underway: Underway): void {
    underway.isAny = false;
    this.#active--;
  }

  #forgetIdle(): void {
    for (const [workspaceId, { isAny }] of this.#workspaces) if (!isAny) this.#workspaces.delete(workspaceId);
  }
}

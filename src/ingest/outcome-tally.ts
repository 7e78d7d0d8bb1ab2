import { minuteMs } from '../clock.ts';
import type {
  DiagnosticNote,
  OutcomeCount,
  OutcomeFlush,
  RejectionEntry,
  UnattributedCount,
} from '../db/outcomes.ts';
import type { RejectionReason } from '../domain/rejection.ts';
import type { Surface } from '../domain/surface.ts';
import { shardOf } from '../domain/workspace.ts';

/** Stands for "no form" and "no token" in counts. */
const noId = '00000000-0000-0000-0000-000000000000';

/** Outcomes since the last flush, already summed up the way they are stored. */
export class OutcomeTally {
  readonly #counts = new Map<string, OutcomeCount & { lastMs: number }>();
  readonly #unattributed = new Map<string, UnattributedCount & { lastMs: number }>();
  readonly #tokensUsed = new Map<string, number>();
  readonly #entries: RejectionEntry[] = [];
  readonly #notes: DiagnosticNote[] = [];

  get isEmpty(): boolean {
    return this.#counts.size === 0 && this.#unattributed.size === 0 && this.#notes.length === 0;
  }

  count(
    workspaceId: string,
    formId: string | null,
    tokenId: string | null,
    surface: Surface,
    outcome: 'accepted' | RejectionReason,
    at: number,
  ): void {
    const minute = at - (at % minuteMs);
    const name = `${minute}${surface}${outcome}${formId}${tokenId}${workspaceId}`;
    const known = this.#counts.get(name);
    if (known !== undefined) {
      known.count++;
      known.lastMs = at;
      return;
    }
    this.#counts.set(name, {
      shard: shardOf(workspaceId),
      workspaceId,
      minute: new Date(minute).toISOString(),
      surface,
      outcome,
      formId: formId ?? noId,
      tokenId: tokenId ?? noId,
      count: 1,
      lastAt: '',
      lastMs: at,
    });
  }

  countUnattributed(surface: Surface, reason: RejectionReason, at: number): void {
    const minute = at - (at % minuteMs);
    const name = `${minute}${surface}${reason}`;
    const known = this.#unattributed.get(name);
    if (known !== undefined) {
      known.count++;
      known.lastMs = at;
      return;
    }
    const row = { minute: new Date(minute).toISOString(), surface, reason, count: 1, lastAt: '', lastMs: at };
    this.#unattributed.set(name, row);
  }

  entry(entry: RejectionEntry): void {
    this.#entries.push(entry);
  }

  note(note: DiagnosticNote): void {
    this.#notes.push(note);
  }

  tokenUsed(tokenId: string, at: number): void {
    this.#tokensUsed.set(tokenId, at);
  }

  toFlush(): OutcomeFlush {
    const dated = <T extends { lastMs: number }>({ lastMs, ...row }: T) => ({
      ...row,
      lastAt: new Date(lastMs).toISOString(),
    });
    return {
      counts: [...this.#counts.values()].map(dated),
      unattributed: [...this.#unattributed.values()].map(dated),
      entries: this.#entries,
      notes: this.#notes,
      tokensUsed: [...this.#tokensUsed].map(([tokenId, at]) => ({
        tokenId,
        lastUsedAt: new Date(at).toISOString(),
      })),
    };
  }
}

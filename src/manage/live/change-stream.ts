import { type ChangeEvent, type WatchedPart, watchedParts } from '../../contract/live/names.ts';
import { type Role, reaches } from '../../domain/role.ts';

/** Who reads a stream, and what they may know. */
export interface Watcher {
  /** Whose places the stream takes. */
  readonly who: string;
  /** Null for the operator key, which has no session. */
  readonly sessionId: string | null;
  /** The watched workspaces with the watcher's role in each. */
  readonly roles: ReadonlyMap<string, Role>;
}

const encoder = new TextEncoder();
// A comment, which readers skip.
const beat = ':\n\n';

/**
 * The events of one watcher. What the watcher has not read yet is kept as names, not as text, so a slow reader takes no more
 * memory than a fast one, and reads less.
 */
export class ChangeStream {
  readonly who: string;
  readonly sessionId: string | null;
  readonly body: ReadableStream<Uint8Array>;
  #roles: ReadonlyMap<string, Role>;
  #untold: ChangeEvent[] = [];
  readonly #untoldParts = new Map<string, Set<WatchedPart>>();
  #isBeatDue = false;
  #isEnded = false;
  #isCancelled = false;
  #wake = () => {};

  constructor({ who, sessionId, roles }: Watcher, onCancelled: () => void) {
    this.who = who;
    this.sessionId = sessionId;
    this.#roles = roles;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => this.#pull(controller);
    const cancel = () => {
      this.#isCancelled = true;
      onCancelled();
    };
    this.body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  }

  get workspaceIds(): readonly string[] {
    return [...this.#roles.keys()];
  }

  roleIn(workspaceId: string): Role | undefined {
    return this.#roles.get(workspaceId);
  }

  /** From now on the watcher has these roles. */
  setRoles(roles: ReadonlyMap<string, Role>): void {
    this.#roles = roles;
  }

  /** Leaves out what the watcher's role may not read: not even when it changed. */
  tellChanged(workspaceId: string, parts: readonly WatchedPart[]): void {
    const role = this.#roles.get(workspaceId);
    const readable = parts.filter((part) => role !== undefined && reaches(role, watchedParts[part]));
    if (readable.length === 0) return;
    const untold = this.#untoldParts.get(workspaceId) ?? new Set();
    this.#untoldParts.set(workspaceId, untold);
    for (const part of readable) untold.add(part);
    this.#wake();
  }

  tell(event: 'in_step' | 'me'): void {
    if (!this.#untold.some((untold) => untold.event === event)) this.#untold.push({ event, data: {} });
    this.#wake();
  }

  /** Shows the reader, and every proxy on the way, that the connection is alive. */
  beat(): void {
    this.#isBeatDue = true;
    this.#wake();
  }

  /** After what is untold. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Called when the reader can take more. */
  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let text = this.#take();
    while (text === '' && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      text = this.#take();
    }
    if (this.#isCancelled) return;
    if (text !== '') controller.enqueue(encoder.encode(text));
    if (this.#isEnded) controller.close();
  }

  #take(): string {
    const changed = this.#untoldParts
      .entries()
      .map(([workspace_id, parts]): ChangeEvent => {
        return { event: 'changed', data: { workspace_id, changed: [...parts] } };
      })
      .toArray();
    const text = [...this.#untold, ...changed].map(eventText).join('');
    const isBeatDue = this.#isBeatDue;
    this.#untold = [];
    this.#untoldParts.clear();
    this.#isBeatDue = false;
    return text === '' && isBeatDue ? beat : text;
  }
}

function eventText({ event, data }: ChangeEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

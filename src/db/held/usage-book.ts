import { fairPart, provenRoom, unprovenRoom } from '../../domain/held/held-bounds.ts';
import { utcDay } from '../../time/clock.ts';
import type { Missed, NewHeld, SharedRoom } from './held-database.ts';

/** What the held requests of a form use. */
export interface Usage {
  readonly shard: number;
  readonly workspaceId: string;
  readonly formId: string;
  readonly isProven: boolean;
  readonly rows: number;
  readonly bytes: number;
}

/** What a request needs room for. */
type Applicant = Pick<NewHeld, 'shard' | 'workspaceId' | 'formId' | 'class' | 'receivedAt'> & {
  readonly sealed: { readonly length: number };
};

interface Room {
  rows: number;
  bytes: number;
}

/** Decides for one request after the other whether there is room for it, and counts. */
export class UsageBook {
  readonly #room: SharedRoom;
  readonly #ofForms = new Map<string, Room>();
  readonly #ofWorkspaces = new Map<string, Room>();
  readonly #added = new Map<string, Usage>();
  readonly #missed = new Map<string, Missed>();
  #provenBytes: number;
  #unprovenBytes: number;

  constructor(usages: readonly Usage[], room: SharedRoom) {
    this.#room = room;
    this.#provenBytes = room.provenBytes;
    this.#unprovenBytes = room.unprovenBytes;
    for (const { workspaceId, formId, isProven, rows, bytes } of usages) {
      add(this.#ofForms, `${formId} ${isProven}`, rows, bytes);
      add(this.#ofWorkspaces, `${workspaceId} ${isProven}`, rows, bytes);
    }
  }

  /** True if it is kept. Unproven requests always are: older ones make room for them, unless all workspaces have used theirs. */
  take(held: Applicant): boolean {
    const isProven = held.class !== 'D';
    if (!(isProven ? this.#hasRoom(held) : this.#unprovenBytes < this.#room.unprovenBytesMax)) {
      // What strangers send is not counted: they could make the number mean nothing.
      if (isProven) this.#miss(held);
      return false;
    }
    const bytes = held.sealed.length;
    add(this.#ofForms, `${held.formId} ${isProven}`, 1, bytes);
    add(this.#ofWorkspaces, `${held.workspaceId} ${isProven}`, 1, bytes);
    if (isProven) this.#provenBytes += bytes;
    else this.#unprovenBytes += bytes;
    const key = `${held.formId} ${isProven}`;
    const before = this.#added.get(key);
    const { shard, workspaceId, formId } = held;
    const rows = (before?.rows ?? 0) + 1;
    this.#added.set(key, { shard, workspaceId, formId, isProven, rows, bytes: (before?.bytes ?? 0) + bytes });
    return true;
  }

  #hasRoom({ workspaceId, formId, sealed }: Applicant): boolean {
    const ofForm = this.#ofForms.get(`${formId} true`) ?? none;
    const ofWorkspace = this.#ofWorkspaces.get(`${workspaceId} true`) ?? none;
    const { provenBytesMax } = this.#room;
    const isScarce = this.#provenBytes > provenBytesMax / 2;
    return (
      fits(ofWorkspace, sealed.length, provenRoom) &&
      fits(ofForm, sealed.length, { rows: provenRoom.rows / 2, bytes: provenRoom.bytes / 2 }) &&
      this.#provenBytes + sealed.length <= provenBytesMax &&
      !(isScarce && ofWorkspace.bytes > provenBytesMax * fairPart)
    );
  }

  #miss({ shard, workspaceId, receivedAt }: Applicant): void {
    const day = utcDay(receivedAt.getTime());
    const key = `${workspaceId} ${day}`;
    const count = (this.#missed.get(key)?.count ?? 0) + 1;
    this.#missed.set(key, { shard, workspaceId, day, count });
  }

  /** What was added, by form. */
  get added(): Usage[] {
    return [...this.#added.values()];
  }

  get missed(): Missed[] {
    return [...this.#missed.values()];
  }

  /** Workspaces whose unproven requests need more room than there is. */
  get crowded(): string[] {
    return [...this.#ofWorkspaces].flatMap(([key, room]) => {
      const [workspaceId = '', isProven] = key.split(' ');
      const isOver = room.rows > unprovenRoom.rows || room.bytes > unprovenRoom.bytes;
      return isProven === 'false' && isOver ? workspaceId : [];
    });
  }
}

const none: Readonly<Room> = { rows: 0, bytes: 0 };

function fits({ rows, bytes }: Readonly<Room>, size: number, max: Readonly<Room>): boolean {
  return rows < max.rows && bytes + size <= max.bytes;
}

function add(rooms: Map<string, Room>, key: string, rows: number, bytes: number): void {
  const room = rooms.get(key) ?? { rows: 0, bytes: 0 };
  room.rows += rows;
  room.bytes += bytes;
  rooms.set(key, room);
}

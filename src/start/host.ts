import type { HostLink } from '../ingest/siblings/link.ts';

/** The processes of one host that serve the same port, as one of them sees them. */
export interface Host {
  readonly workerCount: number;
  /** One process does what must not be done twice, and serves all requests but leads. */
  readonly isFirst: boolean;
  /** Where the first process serves what others forward to it. */
  readonly firstSocketPath: () => string | null;
  /** That socket, in the first process. */
  readonly ownSocketPath: string | null;
  /** To the supervisor; null in a process without one. */
  readonly link: HostLink | null;
  /** Null to open the port of the configuration for this process alone. */
  readonly sharedPort: SharedPort | null;
  /** Resolves when every other process knows all changes committed so far. */
  directoryChanged(): Promise<void>;
  /** Announces a change to the others without waiting for them. */
  announceChange(): void;
  /** Called when another process knows of a change; must read the directory. */
  onChange(read: () => Promise<void>): void;
}

export interface SharedPort {
  /** 0 for a port that the system chooses. */
  readonly port: number;
  /** True when each process opens the port itself, false when node:cluster opens it once for all of them. */
  readonly isReused: boolean;
}

/** A process that has its host to itself. */
export const aloneOnHost: Host = {
  workerCount: 1,
  isFirst: true,
  firstSocketPath: () => null,
  ownSocketPath: null,
  link: null,
  sharedPort: null,
  directoryChanged: async () => {},
  announceChange: () => {},
  onChange: () => {},
};

import type { SharedPort } from '../host.ts';

/** What a worker asks for when it starts. */
export interface Assignment {
  /** 1 for the first worker. */
  readonly place: number;
  readonly workerCount: number;
  readonly databaseUrl: string;
  readonly sharedPort: SharedPort;
  /** A private folder for sockets. */
  readonly socketDir: string;
  /** The socket of the first worker; null until it listens. */
  readonly firstSocketPath: string | null;
  /** True for the first worker at the start of the service: it welcomes the person who started it. */
  readonly isWelcoming: boolean;
}

/** What a worker tells once it accepts requests. */
export interface Listening {
  readonly port: number;
  /** Only the first worker has one. */
  readonly socketPath: string | null;
}

/** The topics of messages between workers and their supervisor. */
export const topics = {
  /** Asked by a worker: its Assignment. */
  assignment: 'assignment',
  /** Told by a worker: Listening. */
  listening: 'listening',
  /** Told to workers: the socket path of the first worker. */
  firstSocket: 'first socket',
  /** Asked or told by a worker: all other workers must read the directory. */
  directoryChanged: 'directory changed',
  /** Asked of a worker. */
  readDirectory: 'read directory',
  /** Told to a worker that others replace, before it is told to stop. */
  retire: 'retire',
  /** Asked of a worker, to see whether it hangs. */
  ping: 'ping',
} as const;

import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { score } from '../domain/score/score.ts';
import type { SecretBox } from '../domain/secret-box.ts';

export interface ManagementDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly score: typeof score;
  readonly operatorKey: string;
  readonly publicUrl: () => string;
  /** Where this service itself reaches the ingest paths. */
  readonly ingestUrl: () => string;
  /** Begins the names of the service's own headers, for example `X-SVC-`. */
  readonly headerPrefix: string;
  /** Resolves when this instance's ingest plane knows of every committed change. */
  readonly directoryChanged: () => Promise<void>;
  readonly log: Logger;
}

import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Scorer } from '../domain/score/scorer.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { CallRate } from './call-rate.ts';

export interface ManagementDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly scorer: Scorer;
  readonly operatorKey: string;
  readonly publicUrl: () => string;
  /** Begins the names of the service's own headers, for example `X-SVC-`. */
  readonly headerPrefix: string;
  /** Resolves when this instance's ingest plane knows of every committed change. */
  readonly directoryChanged: () => Promise<void>;
  readonly signatureDebugRate: CallRate;
  readonly log: Logger;
}

import type pg from 'pg';
import { openRequest, type RecordedRequest } from '../../src/domain/held/held-request.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import { encryptionKey, type TestService } from '../support/service.ts';

const box = new SecretBox(encryptionKey);

export interface HeldRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly form_id: string;
  readonly token_id: string | null;
  readonly surface: string;
  readonly reason: string;
  readonly class: string;
  readonly received_at: Date;
  readonly request_id: string;
  readonly sent_at: Date | null;
  readonly body_bytes: number;
  readonly key_hash: Buffer | null;
  readonly person_hashes: readonly Buffer[];
  readonly sealed: Buffer;
  readonly expires_at: Date;
}

/** What a service has written of rejected requests. */
export class HeldWorld {
  readonly service: TestService;
  readonly pool: pg.Pool;

  constructor(service: TestService) {
    this.service = service;
    this.pool = openTestPool(service.databaseUrl);
  }

  async rowsOf({ workspaceId }: Pick<Sender, 'workspaceId'>): Promise<HeldRow[]> {
    const { rows } = await this.pool.query(
      'select * from held_submissions where workspace_id = $1 order by received_at, id',
      [workspaceId],
    );
    return rows;
  }

  async missedOf({ workspaceId }: Sender): Promise<number> {
    const { rows } = await this.pool.query(
      'select coalesce(sum(count), 0) as count from held_missed where workspace_id = $1',
      [workspaceId],
    );
    return Number(rows[0].count);
  }

  /** The rows of a sender, once there are so many. */
  waitFor(sender: Sender, count: number): Promise<HeldRow[]> {
    return eventually(
      () => this.rowsOf(sender),
      (rows) => rows.length >= count,
    );
  }

  /** Resolves when everything that was rejected before was written. */
  async written(): Promise<void> {
    const marker = await createSender(this.service);
    await post(this.service, marker, 'server', 'not json');
    await this.waitFor(marker, 1);
  }
}

export function opened({ workspace_id, id, sealed }: HeldRow): RecordedRequest {
  return openRequest(box, workspace_id, id, sealed);
}

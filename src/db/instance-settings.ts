import { sql } from 'kysely';
import type { WorkspaceCreation } from '../domain/workspace.ts';
import type { Queryable } from './pool.ts';
import { onlyRow, run } from './sql.ts';

export interface InstanceSettings {
  /** Chosen by an operator; null for the default. */
  readonly workspaceCreation: WorkspaceCreation | null;
  readonly hasOperators: boolean;
}

export async function readInstanceSettings(db: Queryable): Promise<InstanceSettings> {
  return onlyRow(
    db,
    sql<InstanceSettings>`select (select workspace_creation from instance_settings) as "workspaceCreation",
        exists (select from people where operator) as "hasOperators"`,
  );
}

export async function setWorkspaceCreation(db: Queryable, chosen: WorkspaceCreation | null): Promise<void> {
  await run(
    db,
    sql`insert into instance_settings (workspace_creation) values (${chosen})
      on conflict (is_only_row) do update set workspace_creation = excluded.workspace_creation`,
  );
}

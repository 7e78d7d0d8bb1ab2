import type { WorkspaceCreation } from '../domain/workspace.ts';
import type { Queryable } from './pool.ts';

export interface InstanceSettings {
  /** What an operator chose; null leaves it to the default. */
  readonly workspaceCreation: WorkspaceCreation | null;
  readonly hasOperators: boolean;
}

export async function readInstanceSettings(db: Queryable): Promise<InstanceSettings> {
  const { rows } = await db.query(
    `select (select workspace_creation from instance_settings) as "workspaceCreation",
       exists (select from people where operator) as "hasOperators"`,
  );
  return rows[0];
}

export async function setWorkspaceCreation(db: Queryable, chosen: WorkspaceCreation | null): Promise<void> {
  await db.query(
    `insert into instance_settings (workspace_creation) values ($1)
     on conflict (is_only_row) do update set workspace_creation = excluded.workspace_creation`,
    [chosen],
  );
}

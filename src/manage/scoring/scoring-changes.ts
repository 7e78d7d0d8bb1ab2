import type { ScoringChange } from '../../contract/scoring.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import {
  type CurrentScoringRecord,
  findFormScoring,
  type ScoringVersionRecord,
  saveFormScoring,
} from '../../db/forms/form-scoring.ts';
import type { Queryable } from '../../db/pool.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { notFound, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireForm } from '../forms/form-changes.ts';
import { checkSettings } from './scoring-checks.ts';
import { settingsOf } from './scoring-view.ts';

export async function requireFormScoring(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<CurrentScoringRecord> {
  const found = await findFormScoring(db, workspaceId, formId);
  if (found === null) throw notFound('form');
  return found;
}

export async function saveScoring(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
  wanted: ScoringChange,
  by: string,
): Promise<ScoringVersionRecord> {
  const settings = settingsOf(wanted.settings);
  return changeDirectory(deps, async (client) => {
    // From here on, nobody else can save a version of this form.
    const { fields } = await requireForm(client, workspaceId, formId);
    checkSettings(settings, fields);
    const { version: current } = await requireFormScoring(client, workspaceId, formId);
    requireVersion(current, wanted.expected_version);
    const version = current + 1;
    const saved = { version, settings, createdAt: new Date(deps.clock.now()), createdBy: by };
    await saveFormScoring(client, workspaceId, formId, saved, await nextDirectoryRevision(client));
    return saved;
  });
}

function requireVersion(current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return;
  throw new Problem(
    'version_conflict',
    `The settings are at version ${current}, not ${expected}. Read them again, apply your change, and send expected_version ${current}.`,
  );
}

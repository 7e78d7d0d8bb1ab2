import { findFormNames, listForms } from '../../db/forms/forms.ts';
import type { Queryable } from '../../db/pool.ts';
import type { FormFacts } from '../../domain/destination/lead-facts.ts';

/** One that the destination is for. */
export async function formOfSample(
  db: Queryable,
  workspaceId: string,
  formIds: readonly string[] | null,
): Promise<FormFacts | null> {
  const forms =
    formIds === null
      ? (await listForms(db, workspaceId, { after: null, limit: 1, bytesMax: 1 })).rows
      : await findFormNames(db, workspaceId, formIds);
  const [form] = forms;
  return form === undefined ? null : { id: form.id, slug: form.slug, name: form.name };
}

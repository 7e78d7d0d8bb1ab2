import type { LeadFilters } from '../../contract/leads/lead.ts';
import type { Sorting } from '../../contract/leads/list-options.ts';
import { type FormName, listAllForms } from '../../db/forms/forms.ts';
import type { LeadFilter } from '../../db/leads/lead-filter.ts';
import type { LeadOrder } from '../../db/leads/lead-order.ts';
import type { LeadCondition } from '../../db/leads/lead-where.ts';
import type { Queryable } from '../../db/pool.ts';
import { type Condition, matches } from '../../domain/destination/filter.ts';

/** Which leads a list or an export has, and in which order. */
export interface LeadQuery {
  readonly filter: LeadFilter;
  readonly order: LeadOrder;
}

export async function leadQuery(
  db: Queryable,
  workspaceId: string,
  query: LeadFilters & Sorting,
): Promise<LeadQuery> {
  const { form_id: formId, verdict, mark, surface, from, to, q: text, fieldValues, where = [] } = query;
  const readsForms = query.sort === 'form' || where.some(({ field }) => field === 'form');
  const forms = readsForms ? await listAllForms(db, workspaceId) : [];
  const conditions = where.map((condition) => withForms(condition, forms));
  return {
    filter: { formId, verdict, mark, surface, from, to, text, fieldValues, where: conditions },
    order: {
      column: query.sort,
      isAscending: query.order === 'asc',
      formIds: query.sort === 'form' ? forms.toSorted(byName).map(({ id }) => id) : undefined,
    },
  };
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

function byName(one: FormName, other: FormName): number {
  return collator.compare(one.name, other.name) || (one.id < other.id ? -1 : 1);
}

/** Slugs are not in the table of leads, so a condition on the form becomes one on the IDs of forms. */
function withForms(condition: Condition, forms: readonly FormName[]): LeadCondition {
  if (condition.field !== 'form') return condition;
  const isNot = condition.op === 'ne' || condition.op === 'not_in';
  const met = forms.filter((form) => isMetBy(form, condition) !== isNot);
  return { formIds: met.map(({ id }) => id), isNot };
}

function isMetBy(form: FormName, condition: Condition): boolean {
  const filter = { all: [condition] };
  return matches(filter, {
    workspaceId: '',
    submissionId: '',
    formId: form.id,
    form,
    receivedAt: new Date(0),
    surface: 'server',
    verdict: 'clean',
    score: 0,
    grade: 'E',
    fields: '{}',
    enrichment: null,
    isEnriched: false,
    reasons: '[]',
    isTest: false,
  });
}

import type { Lead, LeadFilters, LeadListed } from '../../contract/leads/lead.ts';
import type { Preparing, Sorting } from '../../contract/leads/list-options.ts';
import * as contract from '../../contract/leads.ts';
import type { PageQuery } from '../../contract/shape.ts';
import {
  type LeadRecord,
  type ListedLeadRecord,
  listedLeads,
  type ShownLeads,
  wholeLeads,
} from '../../db/leads/lead-rows.ts';
import { findLead, findLeadBody } from '../../db/leads/leads.ts';
import { listedReasons, type ShownReasons, shownReasons } from '../../domain/score/stored-reasons.ts';
import { type JsonText, withMember } from '../calls/json-text.ts';
import { pageOfSearch } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import { refreshOutdated } from '../enrichment/enrichment-refresh.ts';
import { suggestedEmail } from './email-suggestion.ts';
import { eraseLead } from './lead-erasure.ts';
import { leadQuery } from './lead-query.ts';
import { type SearchDeps, searchLeads, searchMsMax } from './lead-search.ts';

export const leadRoutes = [
  route(contract.listLeads, ({ params, query }, deps) => {
    const list = { deps, workspaceId: params.workspace_id, query };
    return query.view === 'full'
      ? pageOfLeads(list, wholeLeads, writeLead)
      : pageOfLeads(list, listedLeads, writeListedLead);
  }),
  route(contract.readLead, async ({ params }, deps) => {
    const found = (await findLead(deps.pool, params.workspace_id, params.submission_id)) ?? missing();
    refreshOutdated(deps, params.workspace_id, found);
    return writeLead(found);
  }),
  route(contract.readLeadBody, async ({ params }, { pool }) => {
    const body = (await findLeadBody(pool, params.workspace_id, params.submission_id)) ?? missing();
    return download(body, 'application/json', `${params.submission_id}.json`);
  }),
  route(contract.eraseLead, ({ params }, deps) => eraseLead(deps, params.workspace_id, params.submission_id)),
];

interface LeadList {
  readonly deps: SearchDeps;
  readonly workspaceId: string;
  readonly query: LeadFilters & Sorting & PageQuery;
}

async function pageOfLeads<Row extends ListedLeadRecord, Item>(
  { deps, workspaceId, query }: LeadList,
  shown: ShownLeads<Row>,
  view: (row: Row) => JsonText<Item>,
) {
  let preparing: Preparing = null;
  const found = await pageOfSearch<Row, Item>(query, boundTo(query), {
    async search(request) {
      const leads = await leadQuery(deps.pool, workspaceId, query);
      const found = await searchLeads(deps, workspaceId, leads, request, searchMsMax, shown);
      preparing = found.preparing;
      return { rows: found.leads, reached: found.reached, isCut: found.isCut };
    },
    position: ({ receivedAt, submissionId, sortValue }) => ({
      at: receivedAt,
      id: submissionId,
      value: sortValue,
    }),
    view,
  });
  return { ...found, preparing };
}

/** What a cursor is bound to: another list has other places. */
function boundTo({ limit: _, cursor: __, fieldValues, ...filters }: LeadList['query']): object {
  return { ...filters, view: undefined, fieldValues: [...fieldValues] };
}

/** The fields go into the response as the database wrote them. */
export function writeLead(record: LeadRecord): JsonText<Lead> {
  return withMember<Lead, 'fields'>(viewLead(record), 'fields', record.fieldsText);
}

function writeListedLead(record: ListedLeadRecord): JsonText<LeadListed> {
  const { enrichment, reasons } = record;
  const status = enrichment === null ? null : { status: enrichment.status };
  const view = viewWith(record, listedReasons(reasons), status);
  return withMember<LeadListed, 'fields'>(view, 'fields', record.fieldsText);
}

export function viewLead(record: LeadRecord): Omit<Lead, 'fields'> {
  const { enrichedAt, enrichment, reasons } = record;
  const enriched =
    enrichedAt === null || enrichment === null
      ? null
      : { ...enrichment, enriched_at: enrichedAt.toISOString() };
  return viewWith(record, shownReasons(reasons), enriched);
}

function viewWith<Reason, Enrichment>(
  record: ListedLeadRecord,
  { reasons, fit, intent, merits }: ShownReasons<Reason>,
  enrichment: Enrichment,
) {
  const { submissionId, formId, surface, receivedAt, score, grade, risk, verdict } = record;
  return {
    submission_id: submissionId,
    form_id: formId,
    surface,
    received_at: receivedAt.toISOString(),
    score,
    grade,
    risk,
    verdict,
    scored_verdict: record.scoredVerdict ?? verdict,
    mark: viewMark(record),
    reasons,
    fit,
    intent,
    merits,
    ruleset: record.ruleset,
    second_look: viewSecondLook(record),
    email_suggestion: suggestedEmail(record),
    enrichment,
  };
}

function viewMark({ mark, markedAt, markedBy }: ListedLeadRecord): Lead['mark'] {
  if (mark === null || markedAt === null || markedBy === null) return null;
  return { mark, at: markedAt.toISOString(), by: markedBy };
}

function viewSecondLook({
  lookedAt,
  lookedBy,
  verdictBefore,
  riskBefore,
}: ListedLeadRecord): Lead['second_look'] {
  if (lookedAt === null || lookedBy === null || verdictBefore === null || riskBefore === null) return null;
  return {
    at: lookedAt.toISOString(),
    provider: lookedBy,
    verdict_before: verdictBefore,
    risk_before: riskBefore,
  };
}

/** Browsers download what senders wrote; they never show it as one of our pages. */
export function download(
  body: Buffer<ArrayBuffer> | ReadableStream,
  contentType: string,
  fileName: string,
): Response {
  const headers = {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${fileName}"`,
  };
  return new Response(body, { headers });
}

function missing(): never {
  throw notFound('lead');
}

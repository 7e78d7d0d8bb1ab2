import { type Lead, type LeadFilters, lead, leadListQuery, leadPage } from '../../contract/lead.ts';
import type { LeadFilter } from '../../db/leads/lead-filter.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { findLead, findLeadBody } from '../../db/leads/leads.ts';
import { shownReasons } from '../../domain/score/stored-reasons.ts';
import { type JsonText, withMember } from '../calls/json-text.ts';
import { pageOfSearch } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { file, jsonPage, jsonText, noContent, route } from '../calls/route.ts';
import { refreshOutdated } from '../enrichment/enrichment-refresh.ts';
import { suggestedEmail } from './email-suggestion.ts';
import { eraseLead } from './lead-erasure.ts';
import { searchLeads, searchMsMax } from './lead-search.ts';

const tag = 'Leads';
const one = '/workspaces/:workspace_id/leads/:submission_id';

export const fieldFilterText =
  '`field.<key>=value` keeps the leads whose top-level field `<key>` has exactly this value.';

export const leadRoutes = [
  route({
    method: 'get',
    path: '/workspaces/:workspace_id/leads',
    tag,
    summary: 'List leads',
    description: [
      fieldFilterText,
      'A page can have fewer leads than asked for, or none, and still a `next_cursor`: go on until it is null.',
      'The lead that passes 1 MiB is the last one of its page.',
    ].join(' '),
    access: 'member',
    heavy: 'call',
    query: leadListQuery,
    answer: jsonPage(leadPage),
    handle: ({ params, query }, deps) =>
      pageOfSearch(query, {
        async search(request) {
          const filter = leadFilter(query);
          const found = await searchLeads(deps, params.workspace_id, filter, request, searchMsMax);
          return { rows: found.leads, reached: found.reached, isCut: found.isCut };
        },
        position: ({ receivedAt, submissionId }) => ({ at: receivedAt, id: submissionId }),
        view: writeLead,
      }),
  }),
  route({
    method: 'get',
    path: one,
    tag,
    summary: 'Read a lead',
    access: 'member',
    answer: jsonText(200, lead),
    async handle({ params }, deps) {
      const found = (await findLead(deps.pool, params.workspace_id, params.submission_id)) ?? missing();
      refreshOutdated(deps, params.workspace_id, found);
      return writeLead(found);
    },
  }),
  route({
    method: 'get',
    path: `${one}/body`,
    tag,
    summary: 'Read the exact bytes of a lead',
    access: 'member',
    gives: 'body',
    heavy: 'call',
    answer: file('application/json'),
    async handle({ params }, { pool }) {
      const body = (await findLeadBody(pool, params.workspace_id, params.submission_id)) ?? missing();
      return download(body, 'application/json', `${params.submission_id}.json`);
    },
  }),
  route({
    method: 'delete',
    path: one,
    tag,
    summary: 'Erase a lead',
    description: [
      'The lead, its body, its enrichment and its marks are gone for good, and so is every copy of the body in this workspace: requests kept for',
      'the signature debugger, rows of the quarantine, what still waits in a spool. A repeat of its idempotency key stays a repeat.',
    ].join(' '),
    access: 'owner',
    answer: noContent,
    handle: ({ params }, deps) => eraseLead(deps, params.workspace_id, params.submission_id),
  }),
];

export function leadFilter(query: LeadFilters): LeadFilter {
  const { form_id: formId, verdict, mark, surface, from, to, q: text, fieldValues } = query;
  return { formId, verdict, mark, surface, from, to, text, fieldValues };
}

/** Its fields go into the answer as the database has written them. */
export function writeLead(record: LeadRecord): JsonText<Lead> {
  return withMember<Lead, 'fields'>(viewLead(record), 'fields', record.fieldsText);
}

export function viewLead(record: LeadRecord): Omit<Lead, 'fields'> {
  const { submissionId, formId, surface, receivedAt, score, grade, risk, verdict } = record;
  const { reasons, fit, intent, merits } = shownReasons(record.reasons);
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
    enrichment:
      record.enrichedAt === null || record.enrichment === null
        ? null
        : { ...record.enrichment, enriched_at: record.enrichedAt.toISOString() },
  };
}

function viewMark({ mark, markedAt, markedBy }: LeadRecord): Lead['mark'] {
  if (mark === null || markedAt === null || markedBy === null) return null;
  return { mark, at: markedAt.toISOString(), by: markedBy };
}

function viewSecondLook({ lookedAt, lookedBy, verdictBefore, riskBefore }: LeadRecord): Lead['second_look'] {
  if (lookedAt === null || lookedBy === null || verdictBefore === null || riskBefore === null) return null;
  return {
    at: lookedAt.toISOString(),
    provider: lookedBy,
    verdict_before: verdictBefore,
    risk_before: riskBefore,
  };
}

/** What senders wrote is only ever saved, never shown by a browser as a page of ours. */
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

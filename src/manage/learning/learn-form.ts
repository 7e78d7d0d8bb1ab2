import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import {
  type DueLearning,
  lockModel,
  type NewLearning,
  publishModel,
  saveLearning,
} from '../../db/forms/form-learning.ts';
import { findFormScoring } from '../../db/forms/form-scoring.ts';
import { findForm } from '../../db/forms/forms.ts';
import {
  type LeadToLearn,
  listMarkedLeads,
  listMarkers,
  readLeadsToLearn,
  readUsualLeads,
} from '../../db/leads/marked-leads.ts';
import { inTransaction } from '../../db/pool.ts';
import { chooseMarks, type LeadMark } from '../../domain/score/learning/chosen-marks.ts';
import type { Learned, MarkedLesson } from '../../domain/score/learning/learn.ts';
import type { Lesson } from '../../domain/score/learning/lesson.ts';
import type { Clock } from '../../time/clock.ts';
import type { LearningThread } from './learning-thread.ts';
import type { LearningQuestion } from './learning-worker.ts';

export interface LearnFormDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly thread: LearningThread;
}

const leadsPerPage = 200;
/** Leads without a mark, which show what is usual on the form. */
const usualLeadsMax = 300;
const nothing: Learned = { model: null, leads: { spam: 0, not_spam: 0 }, people: 0, since: null };

/** Learns from all marks of a form that count. True if the model is another one than before. */
export async function learnForm(deps: LearnFormDeps, due: DueLearning): Promise<boolean> {
  const { pool, clock } = deps;
  const { model, leads, people, since } = await learnAgain(deps, due);
  const learned: NewLearning = {
    model,
    spamLeads: leads.spam,
    wantedLeads: leads.not_spam,
    people,
    since: since === null ? null : new Date(since),
    learnedAt: new Date(clock.now()),
  };
  return inTransaction(pool, async (client) => {
    const before = await lockModel(client, due.formId);
    const isSaved = await saveLearning(client, due, learned);
    if (!isSaved || isDeepStrictEqual(before, model)) return false;
    await publishModel(client, due.formId, await nextDirectoryRevision(client));
    return true;
  });
}

async function learnAgain(
  { pool, clock, thread }: LearnFormDeps,
  { workspaceId, formId, forgottenAt }: DueLearning,
): Promise<Learned> {
  const form = await findForm(pool, workspaceId, formId);
  const scoring = await findFormScoring(pool, workspaceId, formId);
  // A form that was deleted gets no leads.
  if (form === null || scoring === null) return nothing;
  const markers = await listMarkers(pool, workspaceId, new Date(clock.now()));
  const marks = await listMarkedLeads(pool, workspaceId, formId, { markers, since: forgottenAt });
  const chosen = chooseMarks(
    marks.map((row) => ({ ...row, markedAt: +row.markedAt, person: personOf(row) })),
  );
  if (chosen.length === 0) return nothing;
  const read = (leads: readonly LeadToLearn[]) =>
    readLessons(thread, leads, { fields: form.fields, settings: scoring.settings });
  const marked: MarkedLesson[] = [];
  for (let start = 0; start < chosen.length; start += leadsPerPage) {
    const page = chosen.slice(start, start + leadsPerPage);
    const leads = await readLeadsToLearn(
      pool,
      workspaceId,
      page.map(({ submissionId }) => submissionId),
    );
    const lessons = await read(leads);
    marked.push(...withMarks(page, leads, lessons));
  }
  const others = await read(await readUsualLeads(pool, workspaceId, formId, usualLeadsMax));
  const { learned } = await thread.ask({ learn: { marked, others } });
  return learned ?? nothing;
}

/** All programs count as one person: otherwise someone who creates keys could count as many. */
function personOf({ markedBy }: { readonly markedBy: string }): string {
  return markedBy.startsWith('API key ') ? 'API key' : markedBy;
}

async function readLessons(
  thread: LearningThread,
  leads: readonly LeadToLearn[],
  form: Omit<NonNullable<LearningQuestion['read']>, 'leads'>,
): Promise<readonly Lesson[]> {
  if (leads.length === 0) return [];
  const asked = leads.map(({ fieldsText, surface }) => ({ fieldsText, isFromPage: surface === 'browser' }));
  return (await thread.ask({ read: { ...form, leads: asked } })).lessons;
}

function withMarks(
  marks: readonly LeadMark[],
  leads: readonly LeadToLearn[],
  lessons: readonly Lesson[],
): MarkedLesson[] {
  const byLead = new Map(marks.map((mark) => [mark.submissionId, mark]));
  return leads.flatMap(({ submissionId }, place) => {
    const mark = byLead.get(submissionId);
    const lesson = lessons[place];
    if (mark === undefined || lesson === undefined) return [];
    return [{ ...lesson, mark: mark.mark, person: mark.person, markedAt: mark.markedAt }];
  });
}

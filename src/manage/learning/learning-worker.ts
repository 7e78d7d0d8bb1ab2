import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { FormField } from '../../domain/form.ts';
import { loadScoringData } from '../../domain/score/data.ts';
import { type Learned, learn, type MarkedLesson } from '../../domain/score/learning/learn.ts';
import { type Lesson, LessonReader } from '../../domain/score/learning/lesson.ts';
import { createScorer } from '../../domain/score/scorer.ts';
import { type CompiledScoring, compileScoring } from '../../domain/score/settings/compile.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';

export interface LearningQuestion {
  /** Leads of one form, to be read. */
  readonly read?: {
    readonly fields: readonly FormField[];
    readonly settings: ScoringSettings;
    readonly leads: readonly { readonly fieldsText: string; readonly isFromPage: boolean }[];
  };
  readonly learn?: { readonly marked: readonly MarkedLesson[]; readonly others: readonly Lesson[] };
}

export interface LearningAnswer {
  /** One per lead, in order. */
  readonly lessons: readonly Lesson[];
  readonly learned: Learned | null;
}

// On Linux this sets the priority of this thread only; elsewhere it would set that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const scorer = createScorer(loadScoringData());
/** Only tells that a web page has sent the lead. */
const pageSignals = { isHeadless: false, isUnproven: false, isWorkFast: false };

parentPort?.on('message', ({ read, learn: taught }: LearningQuestion) => {
  const form = read && compileScoring(read.settings, read.fields, 0);
  const answer: LearningAnswer = {
    lessons: form ? read.leads.map((lead) => lessonOf(lead, form)) : [],
    learned: taught === undefined ? null : learn(taught.marked, taught.others),
  };
  parentPort?.postMessage(answer);
});

type LeadToRead = NonNullable<LearningQuestion['read']>['leads'][number];

function lessonOf({ fieldsText, isFromPage }: LeadToRead, form: CompiledScoring): Lesson {
  const learning = new LessonReader();
  scorer.score(JSON.parse(fieldsText), form, { now: 0, page: isFromPage ? pageSignals : null, learning });
  return learning.lesson;
}

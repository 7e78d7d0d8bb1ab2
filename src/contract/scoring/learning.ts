import { z } from 'zod';
import { call, json } from '../call.ts';
import { time } from '../shape.ts';

const mark = z.enum(['spam', 'not_spam']);
const perMark = z.object({ spam: z.int(), not_spam: z.int() });

const formLearning = z
  .object({
    enabled: z.boolean().describe("As in the form's scoring settings."),
    state: z
      .enum(['off', 'collecting', 'learned'])
      .describe('`collecting`: there are too few marked leads to shift any score. `off`: not enabled.'),
    number: z
      .int()
      .nullable()
      .describe('The ruleset of leads that are scored with it ends in `+learned.` and this number.'),
    leads: perMark.describe('The marked leads that count. Leads that say the same count once.'),
    needed: z
      .object({ of_each: z.int(), of_one: z.int() })
      .describe('How many leads of each mark, or of one mark alone, are needed.'),
    people: z.int().describe('How many people have marked them; all API keys count as one.'),
    since: time.nullable().describe('When the first of them was marked.'),
    learned_at: time.nullable(),
    forgotten_at: time.nullable().describe('Marks up to then do not count.'),
    forgotten_by: z.string().nullable(),
    points: perMark.describe("The most that it adds to the risk of a lead, under the form's settings."),
    words: perMark.describe('How many words speak for each mark. Only their hashes are stored.'),
    domains: z
      .array(z.object({ domain: z.string(), kind: z.enum(['email', 'link']), mark }))
      .describe('Domains of email addresses and links that speak for a mark, the strongest first.'),
  })
  .meta({ id: 'FormLearning' });

export type FormLearning = z.output<typeof formLearning>;

export const readLearning = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id/scoring/learning',
  tag: 'Scoring',
  summary: 'Read what a form has learned from marks',
  description: [
    'What people mark as spam or not spam shifts the risk of similar leads of the form, by up to 20 points. Marks count within',
    'seconds. Turn it off with `learning.enabled` in the scoring settings.',
  ].join(' '),
  access: { by: 'member', scope: 'forms:read' },
  answer: json(200, formLearning),
});

export const forgetLearning = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/forms/:form_id/scoring/learning',
  tag: 'Scoring',
  summary: 'Forget what a form has learned from marks',
  description: [
    'Marks up to now no longer count for the scores of new leads; the marks themselves stay, and so do stored scores. From then',
    'on the form learns again.',
  ].join(' '),
  access: { by: 'owner', scope: 'forms:write' },
  answer: json(200, formLearning),
});

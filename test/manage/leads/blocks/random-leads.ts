import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';
import { shardOf } from '../../../../src/domain/workspace.ts';

export interface TestLead {
  readonly id: string;
  readonly at: Date;
  readonly fields: Record<string, unknown>;
  readonly score: number;
  readonly grade: string;
  readonly verdict: string;
}

// Recent, because a search that has no time takes four days at a time.
export const start = Date.now() - 86_400_000;
export const word = fc.constantFrom(
  ...[
    'Ada',
    'ada lovelace',
    'ADA',
    'Zoë',
    'zoe\u0301',
    'müller',
    'MÜLLER',
    '10',
    '10.0',
    '9',
    ' 10 ',
    '-3.5',
    '1e2',
  ],
  ...[
    '%_\\',
    'a"b\\c',
    '',
    'ab',
    '🦊 fox',
    '🦊',
    'İstanbul',
    'istanbul',
    'ΣΑΣ',
    'σας',
    'ﬁn',
    '\uffee',
    'x'.repeat(300),
    '7'.repeat(250),
  ],
);
const value = fc.oneof(
  { weight: 6, arbitrary: word },
  fc.integer({ min: -20, max: 120 }),
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 3 }),
  fc.record({ inside: word }),
);
export const someLeads = fc.array(
  fc.record({
    seconds: fc.integer({ min: 0, max: 40 }),
    fields: fc.dictionary(fc.constantFrom('name', 'size', 'note'), value, { maxKeys: 3 }),
    score: fc.integer({ min: 0, max: 4 }).map((tens) => tens * 25),
    verdict: fc.constantFrom('clean', 'suspect', 'spam'),
  }),
  { minLength: 1, maxLength: 60 },
);
export const gradeOf = (score: number) => 'EDCBA'[score / 25] as string;

export async function insertLeads(
  pool: pg.Pool,
  workspaceId: string,
  leads: readonly TestLead[],
): Promise<void> {
  for (const { id, at, fields, score, grade, verdict } of leads)
    await pool.query(
      `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
         grade, verdict, reasons, ruleset) values ($1, $2, $3, $4, 'server', $5, 'body', $6, $7, 0, $8, $9, '[]', 'test')`,
      [
        shardOf(workspaceId),
        workspaceId,
        id,
        randomUUID(),
        at,
        JSON.stringify(fields),
        score,
        grade,
        verdict,
      ],
    );
}

export function plainLeads(count: number): TestLead[] {
  return Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    at: new Date(start + n * 1_000),
    fields: { name: `Number ${n}` },
    score: 50,
    grade: 'C',
    verdict: 'clean',
  }));
}

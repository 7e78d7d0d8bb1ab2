import { expect } from 'vitest';
import { warmLeadgate } from '../support/command-line/command-line.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly text: string;
  readonly fix: string | null;
}

/** What the doctor says about Citus. */
export async function clusterFindings(env: Record<string, string>): Promise<Finding[]> {
  const { json, stderr } = await warmLeadgate(['doctor', '--json'], { env: { PORT: '0', ...env } });
  expect(json, stderr).toBeInstanceOf(Array);
  return json.filter(({ check }: Finding) => /^(?:citus|node |buckets)/.test(check));
}

import {
  type Department,
  departments,
  type Seniority,
  seniorities,
} from '../../../domain/enrichment/vocabulary.ts';
import { readTable } from '../../../domain/words/word-table.ts';

type Rows<Label> = readonly (readonly [RegExp, Label])[];

export const seniorityWords: Rows<Seniority> = readPatterns('seniorities.txt', seniorities);
export const departmentWords: Rows<Department> = readPatterns('departments.txt', departments);

/** One row per section; adjacent sections of the same name are one. */
function readPatterns<Label extends string>(name: string, labels: readonly Label[]): Rows<Label> {
  const rows: { label: Label; patterns: string[] }[] = [];
  readTable(new URL(name, import.meta.url), (pattern, section) => {
    const label = labels.find((known) => known === section);
    if (label === undefined) throw new Error(`unknown section [${section}]`);
    new RegExp(pattern);
    if (rows.at(-1)?.label === label) rows.at(-1)?.patterns.push(pattern);
    else rows.push({ label, patterns: [pattern] });
  });
  return rows.map(({ label, patterns }) => [new RegExp(`\\b(?:${patterns.join('|')})\\b`), label]);
}

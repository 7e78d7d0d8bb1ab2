import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import type { Department, Seniority } from '../../../domain/enrichment/vocabulary.ts';
import type { BuiltinProvider, FieldValue } from '../provider.ts';
import { departmentWords, seniorityWords } from './title-words.ts';

const charactersMax = 120;
const rememberedMax = 2_000;

interface TitleMeaning {
  readonly seniority: Seniority;
  readonly department: Department | null;
}

// The same titles come over and over.
const remembered = new Map<string, TitleMeaning>();

export const title: BuiltinProvider = {
  id: 'title',
  version: providerVersions.title,
  phase: 'builtin',
  text: 'Seniority and department from the words of the job title, in English, German, French and Spanish.',
  enrich({ extras }) {
    const text = extras.get('title');
    if (text === undefined || text.length > charactersMax) return [];
    const { seniority, department } = meaningOf(text);
    const fields: FieldValue[] = [
      {
        path: 'person.seniority',
        value: seniority,
        confidence: seniority === 'unknown' ? 0.3 : 0.8,
        method: 'derived',
      },
    ];
    if (department !== null)
      fields.push({ path: 'person.department', value: department, confidence: 0.7, method: 'derived' });
    return fields;
  },
};

export function meaningOf(text: string): TitleMeaning {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const plain = plainTitle(text);
  const meaning: TitleMeaning = {
    seniority: seniorityWords.find(([shape]) => shape.test(plain))?.[1] ?? 'unknown',
    department: departmentOf(plain),
  };
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(text, meaning);
  return meaning;
}

/** The words after "assistant to" describe someone else's department. */
function departmentOf(plain: string): Department | null {
  const own = plain.replace(
    /\b(assistant|assistante|assistent|assistentin|assistenz|asistente) (?:to|of|for|des|der|de|du|del)\b.*$/,
    '$1',
  );
  return departmentWords.find(([shape]) => shape.test(own))?.[1] ?? null;
}

function plainTitle(text: string): string {
  return (
    text
      .toLowerCase()
      // Gender-neutral forms: Leiter*in, Leiter:in, Leiter/in, Leiter (m/w/d).
      .replace(/[*:_/(]in(?:nen)?\)?|\((?:[a-z]\/){1,2}[a-z]\)/g, '')
      .replaceAll('ß', 'ss')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  );
}

import { comments, fixLines, type Language, languages } from './fix-lines.ts';
import { type MistakeCode, mistakes } from './mistakes.ts';

/** The header prefix in the samples; a service may be configured with another one. */
const samplePrefix = 'X-SVC-';

/** The correct lines for the step with the mistake, under a comment that says what to fix. */
export function fixCode(code: MistakeCode, headerPrefix: string): Record<Language, string> {
  const { step, fix } = mistakes[code];
  const snippet = (language: Language) =>
    `${comments[language]} ${fix}\n${unindented(fixLines[language][step])}`.replaceAll(
      samplePrefix,
      headerPrefix,
    );
  return Object.fromEntries(languages.map((language) => [language, snippet(language)])) as Record<
    Language,
    string
  >;
}

/** The lines may be indented, so each block loses the indentation that all of its lines share. */
function unindented(text: string): string {
  const lines = text.split('\n');
  const depths = lines.map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const shared = Math.min(...depths);
  return lines.map((line) => line.slice(shared)).join('\n');
}

/**
 * The samples of this folder read their settings from the environment. Wherever the values are known, the settings area
 * puts them in; the docs quote the files as they are.
 */
export interface SampleLanguage {
  readonly name: 'curl' | 'node' | 'python' | 'php' | 'go' | 'ruby';
  readonly title: string;
  /** Of the file's name: `signed.<ending>` and `token.<ending>`. */
  readonly ending: string;
  /** What Markdown calls the language. */
  readonly markdown: string;
}

export const sampleLanguages: readonly SampleLanguage[] = [
  { name: 'curl', title: 'curl and openssl', ending: 'sh', markdown: 'sh' },
  { name: 'node', title: 'Node', ending: 'mjs', markdown: 'js' },
  { name: 'python', title: 'Python', ending: 'py', markdown: 'python' },
  { name: 'php', title: 'PHP', ending: 'php', markdown: 'php' },
  { name: 'go', title: 'Go', ending: 'go', markdown: 'go' },
  { name: 'ruby', title: 'Ruby', ending: 'rb', markdown: 'ruby' },
];

/** By the names of the environment variables; what is left out stays a variable. */
export interface SampleValues {
  readonly LEADGATE_URL?: string;
  readonly LEADGATE_SLUG?: string;
  readonly LEADGATE_TOKEN?: string;
}

/** How a language reads a variable, and what stands there instead. */
type Read = (name: string, value: string) => readonly [read: string, literal: string];

const reads: Record<SampleLanguage['name'], Read> = {
  curl: (name, value) => [`$${name}`, value],
  node: (name, value) => [`\${${name}}`, value],
  python: (name, value) => [`os.environ["${name}"]`, `"${value}"`],
  php: (name, value) => [`getenv('${name}')`, `'${value}'`],
  go: (name, value) => [`os.Getenv("${name}")`, `"${value}"`],
  ruby: (name, value) => [`#{ENV.fetch("${name}")}`, value],
};

const samplePrefix = 'X-SVC-';

/** The sample with these values in it. It runs as it is, as far as the values go. */
export function fillSample(
  code: string,
  language: SampleLanguage['name'],
  values: SampleValues,
  headerPrefix: string,
): string {
  let filled = code.replaceAll(samplePrefix, headerPrefix);
  if (language === 'curl') filled = withoutScript(filled);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const [read, literal] = reads[language](name, harmless(value));
    filled = filled.replaceAll(read, () => literal);
    if (language === 'node') filled = filled.replace(`${name}, `, '');
  }
  return filled;
}

/** What is pasted into a terminal must not change how that shell behaves, and needs no line that says what runs it. */
function withoutScript(code: string): string {
  const isForScripts = (line: string) => /^(?:#!|set -|: )/.test(line);
  return code
    .split('\n')
    .filter((line) => !isForScripts(line))
    .join('\n');
}

/** Stands between quotes of six languages: whatever could end them, or mean something in them, is percent-encoded. */
function harmless(value: string): string {
  return value.replace(/[^\w.~:/@%[\]-]/gu, encodeAll);
}

function encodeAll(text: string): string {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
  ).join('');
}

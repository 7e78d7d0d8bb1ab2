/**
 * The samples in clients/samples read their settings from the environment. The settings area fills in the values it knows;
 * the docs quote the files unchanged.
 */
export interface SampleLanguage {
  readonly name: 'curl' | 'node' | 'python' | 'php' | 'go' | 'ruby';
  readonly title: string;
  /** File name extension: `signed.<ending>` and `token.<ending>`. */
  readonly ending: string;
  /** The language of the Markdown code block. */
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

/** Values by the name of their environment variable. Variables without a value stay in the sample. */
export interface SampleValues {
  readonly LEADGATE_URL?: string;
  readonly LEADGATE_SLUG?: string;
  readonly LEADGATE_TOKEN?: string;
}

/** How a language reads a variable, and the literal that replaces it. */
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

/** Fills the values in. The result runs unchanged once no variable is left. */
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

/** Code pasted in a terminal must not change the options of that shell, and needs no shebang. */
function withoutScript(code: string): string {
  const isForScripts = (line: string) => /^(?:#!|set -|: )/.test(line);
  return code
    .split('\n')
    .filter((line) => !isForScripts(line))
    .join('\n');
}

/** The value is quoted in six languages, so characters that are special in any of them are percent-encoded. */
function harmless(value: string): string {
  return value.replace(/[^\w.~:/@%[\]-]/gu, encodeAll);
}

function encodeAll(text: string): string {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
  ).join('');
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Lexer } from 'marked';

/**
 * The code blocks of a page that run, in order: ```sh run, ```js run and ```python run. A block ```sh values contains what the
 * reader fills in. A block ```json answer contains what the block before it prints.
 */
interface RunnableBlock {
  readonly language: 'sh' | 'js' | 'python';
  readonly code: string;
  readonly answer: unknown;
}

export interface PageCode {
  /** Names of the variables that the reader fills in. */
  readonly values: readonly string[];
  readonly blocks: readonly RunnableBlock[];
}

const runProgram = promisify(execFile);

export function codeOf(markdown: string): PageCode {
  const values: string[] = [];
  const blocks: RunnableBlock[] = [];
  for (const token of Lexer.lex(markdown)) {
    if (token.type !== 'code') continue;
    const [language, mark] = (token.lang ?? '').split(' ');
    if (mark === 'values') values.push(...[...token.text.matchAll(/^(\w+)=/gm)].map(([, name]) => name));
    else if (mark === 'run') blocks.push({ language, code: token.text, answer: undefined });
    else if (mark === 'answer') {
      const last = blocks.pop();
      if (last === undefined) throw new Error('An answer comes before any block that runs.');
      blocks.push({ ...last, answer: JSON.parse(token.text) });
    } else if (mark !== undefined) throw new Error(`Unknown mark of a code block: "${mark}".`);
  }
  return { values, blocks };
}

/** What each block prints. Shell blocks of a page share their variables, as in the reader's terminal. */
export async function runPage(
  { blocks }: PageCode,
  values: Record<string, string>,
  env: Record<string, string>,
): Promise<string[]> {
  const outputs: string[] = [];
  const before: string[] = Object.entries(values).map(([name, value]) => `${name}='${value}'`);
  for (const { language, code } of blocks) {
    outputs.push(await run(language, code, before, env));
    // Runs again before the next block, which needs its variables. Retries do no harm.
    if (language === 'sh') before.push(`{ ${code}\n} >/dev/null`);
  }
  return outputs;
}

async function run(
  language: RunnableBlock['language'],
  code: string,
  before: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const [program, ...options] = {
    sh: ['bash', '-euc', [...before, code].join('\n')],
    js: [process.execPath, '--input-type=module', '-e', code],
    python: ['python3', '-c', code],
  }[language] as [string, ...string[]];
  const { stdout } = await runProgram(program, options, { env: { ...process.env, ...env } });
  return stdout;
}

/** Whether the real value has everything that the page shows, with values of the same type. */
export function hasShapeOf(shown: unknown, real: unknown): boolean {
  if (Array.isArray(shown)) {
    return Array.isArray(real) && real.length > 0 && shown.every((item) => hasShapeOf(item, real[0]));
  }
  if (shown !== null && typeof shown === 'object') {
    return Object.entries(shown).every(
      ([key, value]) =>
        real !== null &&
        typeof real === 'object' &&
        key in real &&
        hasShapeOf(value, (real as Record<string, unknown>)[key]),
    );
  }
  return shown === null || typeof shown === typeof real;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lexer, marked } from 'marked';
import { expect, test } from 'vitest';
import { readSections } from '../../site/pages.ts';
import { createProgram, forEachCommand } from '../../src/cli/program.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { operatorKey } from '../support/service.ts';
import { startHere } from '../support/service-here.ts';
import { codeOf, runPage } from './run-blocks.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

test('the commands of the README work as pasted after a first start', async () => {
  const dataDir = temporaryDataDir();
  const database = await createTestDatabase();
  const service = await startHere(dataDir.path, { DATABASE_URL: database.url });
  const { host } = new URL(service.url);
  const code = codeOf(readme.replaceAll('localhost:3000', host));
  const env = { LEADGATE_URL: service.url, OPERATOR_KEY: operatorKey };
  const [api, token, signature, ...others] = await runPage(code, {}, env);
  await service.stop();
  await database.drop();
  dataDir.remove();
  expect(api).toMatch(/^\{"items":\[.*\{"items":\[/s);
  for (const output of [token, signature]) expect(output).toMatch(/^\{"submission_id":"[0-9a-f-]{36}"\}$/);
  expect(others).toEqual([]);
}, 120_000);

/** The words of a command as a shell would split them, without what follows it on the line. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const end = words.findIndex((word) => /^(?:#|\||\d?[<>]|&&|;|\\$)/.test(word));
  return words
    .slice(0, end === -1 ? undefined : end)
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2').replace(/[);]$/, ''));
}

const pages = [
  { source: 'README.md', markdown: readme },
  ...readSections().flatMap((section) => section.pages),
];
const lines: [string, string][] = [];
for (const { source, markdown } of pages)
  marked.walkTokens(Lexer.lex(markdown), (token) => {
    if (token.type !== 'code' || !/^sh\b/.test(token.lang ?? '')) return;
    for (const line of token.text.split('\n')) {
      const rest = /^(?:[^#]*(?:npx |bin\/|[&|(] ?|=\S+ ))?leadgate(?:\.js)? ([a-z].*)$/.exec(line)?.[1];
      if (rest !== undefined) lines.push([source, rest]);
    }
  });

test.each(lines)('%s: leadgate %s', async (_source, line) => {
  const program = createProgram();
  forEachCommand(program, (command) => {
    if (command.commands.length === 0) command.action(() => {});
  });
  await expect(program.parseAsync(wordsOf(line), { from: 'user' })).resolves.toBeDefined();
});

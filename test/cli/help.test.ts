import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliPage, pathOf } from '../../scripts/cli-page.ts';
import { createProgram, forEachCommand } from '../../src/cli/program.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';

const paths: string[][] = [];
forEachCommand(createProgram(), (command) => paths.push(pathOf(command)));

test('docs/cli.md is the help of the commands: run npm run docs:cli after a change', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8')).toBe(cliPage());
});

test.each(paths.map((path) => ['leadgate', ...path].join(' ')))(
  '%s --help shows an example of itself, on standard output',
  async (name) => {
    const { code, stdout, stderr } = await warmLeadgate([...name.split(' ').slice(1), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [usage, examples = ''] = stdout.split('\nExamples:\n');
    expect(usage).toMatch(new RegExp(`^Usage: ${name}\\b`));
    expect(examples).toContain(`  $ ${name}`);
    expect(stdout).not.toContain('\x1b');
  },
);

test('no secret can be passed as a flag', () => {
  forEachCommand(createProgram(), (command) => {
    for (const { long } of command.options) expect(long).not.toMatch(/^--(?:secret|token|key|operator-key)$/);
  });
});

import { expect, test } from 'vitest';
import { pathOf } from '../../scripts/pages/cli.ts';
import { createProgram, forEachCommand } from '../../src/cli/program.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';

const paths: string[][] = [];
forEachCommand(createProgram(), (command) => paths.push(pathOf(command)));

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

const twins = { get: 'show', show: 'get' };

test.each(
  paths.flatMap((path) => {
    const twin = twins[path.at(-1) as keyof typeof twins];
    return twin === undefined ? [] : [[[...path.slice(0, -1), twin], path] as const];
  }),
)('leadgate %j is the same as %j', async (twin, path) => {
  const [one, other] = [await warmLeadgate([...twin, '--help']), await warmLeadgate([...path, '--help'])];
  expect(one).toEqual(other);
  expect(one.code).toBe(0);
});

test('no secret can be passed as a flag', () => {
  forEachCommand(createProgram(), (command) => {
    for (const { long } of command.options) expect(long).not.toMatch(/^--(?:secret|token|key|operator-key)$/);
  });
});

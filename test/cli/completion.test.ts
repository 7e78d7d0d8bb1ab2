import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from '../../scripts/pages/cli.ts';
import { createProgram, forEachCommand } from '../../src/cli/program.ts';
import { rejectionReasons } from '../../src/domain/rejection.ts';
import { leadgate, warmLeadgate } from '../support/command-line/command-line.ts';

const scratch = mkdtempSync(join(tmpdir(), 'leadgate-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const scripts = new Map<string, string>();
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    // The one that is tried the most as a process.
    const run = shell === 'bash' ? leadgate : warmLeadgate;
    const { code, stdout, stderr } = await run(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    scripts.set(shell, join(scratch, shell));
    writeFileSync(join(scratch, shell), stdout);
  }
  writeFileSync(join(scratch, 'two words.json'), '{}');
});

const endOfLine = '<end of line>';

/** What a shell without any settings of its own offers for the last of the words of each line. */
function offeredByBash(lines: readonly (readonly string[])[]): string[][] {
  const program = `
    source "$1"; shift
    while [ $# -gt 0 ]; do
      COMP_WORDS=(leadgate)
      while [ "$1" != '${endOfLine}' ]; do COMP_WORDS+=("$1"); shift; done
      shift
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
      COMPREPLY=()
      _leadgate
      printf '%s\\n' "\${COMPREPLY[@]}" '${endOfLine}'
    done`;
  const given = ['--norc', '--noprofile', '-c', program, 'bash', scripts.get('bash') as string];
  const words = lines.flatMap((line) => [...line, endOfLine]);
  const shown = execFileSync('bash', [...given, ...words], { cwd: scratch, encoding: 'utf8' });
  const offered = shown.split(`${endOfLine}\n`).slice(0, lines.length);
  return offered.map((text) => text.split('\n').filter((line) => line !== ''));
}

describe('bash', () => {
  test.each<[string, string[], string[]]>([
    ['commands', ['to'], ['token']],
    [
      'commands below a command',
      ['form', ''],
      ['list', 'create', 'update', 'delete', 'test', 'browser', 'learning', 'schema', 'dry-run'],
    ],
    ['options by their beginning', ['form', 'delete', '--y'], ['--yes']],
    ['global options', ['form', 'list', '--js'], ['--json']],
    ['values of options', ['lead', 'export', '--format', ''], ['csv', 'xlsx', 'ndjson', 'json']],
    ['values written with =', ['lead', 'export', '--format', '=', 'nd'], ['ndjson']],
    ['values right after =', ['lead', 'list', '--surface', '='], ['server', 'webhook', 'browser']],
    ['values of arguments', ['completion', 'z'], ['zsh']],
    ['files for options that name one', ['lead', 'send', '--file', 'two'], ['two words.json']],
    ['files for arguments that name one', ['sign', 'two'], ['two words.json']],
    ['the other name too', ['lead', 'sho'], ['show']],
    ['options after the other name', ['token', 'get', 'x', '--work'], ['--workspace']],
    ['commands after options with values', ['--key-file', 'form', 'token', 'rev'], ['revoke']],
    ['commands after help', ['help', 'lead', 'ex'], ['export']],
    ['nothing where only a person knows', ['form', 'delete', 'con'], []],
  ])('offers %s', (_what, words, offered) => {
    expect(offeredByBash([words])[0]?.toSorted()).toEqual(offered.toSorted());
  });

  test('knows every command, option and value', () => {
    const cases: { words: string[]; offered: unknown }[] = [];
    forEachCommand(createProgram(), (command) => {
      const path = pathOf(command);
      const names = command.commands.flatMap((inner) => [inner.name(), ...inner.aliases()]);
      if (names.length > 0) cases.push({ words: [...path, ''], offered: names });
      const options = command.options.map(({ long }) => long);
      const all = expect.arrayContaining([...options, '--help', '--json']);
      cases.push({ words: [...path, '--'], offered: all });
      for (const { long, argChoices } of command.options)
        if (argChoices !== undefined)
          cases.push({ words: [...path, long as string, ''], offered: argChoices });
    });
    const reasons = rejectionReasons.map(({ code }) => code);
    cases.push({ words: ['rejection', 'list', '--reason', ''], offered: reasons });
    const shown = offeredByBash(cases.map(({ words }) => words));
    expect(cases.map(({ words }, place) => ({ words, offered: shown[place] }))).toEqual(cases);
  }, 120_000);

  test('completes a line that is typed on a terminal', () => {
    const typed = [
      `source '${scripts.get('bash')}'; leadgate() { echo "ran:$*:"; }`,
      'leadgate form de\tcontact --y\t',
      'leadgate lead export --format nd\t',
      'exit',
    ];
    const shell = ['--quiet', '--command', 'bash --norc --noprofile -i', '/dev/null'];
    const { stdout } = spawnSync('script', shell, {
      input: typed.map((line) => `${line}\n`).join(''),
      env: { PATH: process.env.PATH ?? '', TERM: 'dumb', INPUTRC: '/dev/null', PS1: '$ ' },
      encoding: 'utf8',
    });
    expect(stdout).toContain('ran:form delete contact --yes:');
    expect(stdout).toContain('ran:lead export --format ndjson:');
  });
});

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).error === undefined;

describe.runIf(isInstalled('zsh'))('zsh', () => {
  test('takes the script', () => {
    execFileSync('zsh', ['-n', scripts.get('zsh') as string]);
  });
});

describe.runIf(isInstalled('fish'))('fish', () => {
  test.each<[string, string]>([
    ['leadgate to', 'token'],
    ['leadgate form de', 'delete'],
    ['leadgate lead export --format nd', 'ndjson'],
    ['leadgate help lead ex', 'export'],
  ])('%s: %s', (line, offered) => {
    const program = `source "${scripts.get('fish')}"; complete -C "${line}"`;
    const shown = execFileSync('fish', ['--no-config', '-c', program], { encoding: 'utf8' });
    expect(shown.split('\n').map((row) => row.split('\t')[0])).toContain(offered);
  });
});

test.each(['zsh', 'fish'])('the script for %s names every command and every value of an option', (shell) => {
  const script = readFileSync(scripts.get(shell) as string, 'utf8');
  forEachCommand(createProgram(), (command) => {
    for (const inner of command.commands) expect(script).toContain(`'${inner.name()}`);
    for (const { argChoices } of command.options)
      for (const choice of argChoices ?? []) expect(script).toContain(choice);
  });
});

test('an unknown shell is a usage error that lists the known ones', async () => {
  const { code, stderr } = await warmLeadgate(['completion', 'csh']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});

import { type Command, Option } from 'commander';
import { readCommandLineConfig } from '../../config.ts';
import type { SignatureDebugAnswer } from '../../contract/signature-debug.ts';
import { debugSignature } from '../../domain/signature-debug/debug.ts';
import { type Language, languages } from '../../domain/signature-debug/fix-lines.ts';
import { readCurlCommand } from '../../domain/signature-debug/paste/curl-command.ts';
import { readRawRequest } from '../../domain/signature-debug/paste/raw-request.ts';
import { UnreadablePaste } from '../../domain/signature-debug/request.ts';
import { viewSignatureDebug } from '../../manage/signature-debug-view.ts';
import { newCommand, outputOf, sessionOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { formPath } from '../find.ts';
import { readInput, readSecret } from '../input.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import { printable, styled } from '../output.ts';

interface DiagnoseOptions extends WorkspaceOption {
  readonly form?: string;
  readonly rejection?: string;
  readonly receivedAt?: string;
  readonly language: Language;
}

export const diagnoseCommand = () =>
  inWorkspace(
    newCommand('diagnose', 'Find out what is wrong with a signature; ends with 1 when something is.', [
      'diagnose request.txt                      # offline, with LEADGATE_SECRET or a secret typed in',
      'diagnose - --form contact < request.txt   # with the secrets that the service holds',
      'diagnose --form contact --rejection 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
    ]),
  )
    .argument('[file]', 'a request as raw HTTP or as a curl command; - for standard input', '-')
    .option('-f, --form <form>', 'ask the running service: slug, name or id of the form')
    .option('--rejection <id>', 'with --form: an entry of the diagnostics in place of a file')
    .option(
      '--received-at <time>',
      'when the request arrived, such as 2026-11-15T08:00:00Z; now unless given',
    )
    .addOption(
      new Option('--language <name>', 'of the lines that mend it').choices(languages).default('curl'),
    )
    .action(async (file: string, options: DiagnoseOptions, command: Command) => {
      if (options.rejection !== undefined && options.form === undefined)
        throw new CliError('usage', 'A rejection belongs to a form: add --form.');
      const found = await (options.form === undefined
        ? diagnoseOffline(file, options)
        : askService(command, file, options, options.form));
      outputOf(command).result(found, findingsText(found, options.language));
      if (!found.valid) process.exitCode = 1;
    });

async function diagnoseOffline(file: string, { receivedAt }: DiagnoseOptions): Promise<SignatureDebugAnswer> {
  const text = readInput(file).toString('utf8');
  const { headerPrefix } = readCommandLineConfig();
  const at = receivedAt === undefined ? Date.now() : Date.parse(receivedAt);
  if (Number.isNaN(at)) throw new CliError('usage', `${receivedAt} is not a time.`);
  const source = kindOf(text);
  const request = readable(() => (source === 'curl' ? readCurlCommand : readRawRequest)(text, headerPrefix));
  const secrets = [{ kind: 'current', value: await readSecret() }] as const;
  const found = debugSignature({ request, secrets, at, headerPrefix, slug: null });
  return viewSignatureDebug(found, { source, request, at }, headerPrefix);
}

async function askService(
  command: Command,
  file: string,
  { workspace, rejection, receivedAt }: DiagnoseOptions,
  form: string,
): Promise<SignatureDebugAnswer> {
  const { api } = sessionOf(command);
  const subject =
    rejection === undefined ? pasted(readInput(file).toString('utf8')) : { rejection_id: rejection };
  return api.send('POST', `${await formPath(api, workspace, form)}/signature-debug`, {
    ...subject,
    ...(receivedAt === undefined ? {} : { received_at: receivedAt }),
  });
}

function pasted(text: string): object {
  return { [kindOf(text)]: text };
}

function kindOf(text: string): 'curl' | 'raw_request' {
  return /^\s*(?:[$%>#]\s+)?(?:\S*[\\/])?curl(?:\.exe)?\s/.test(text) ? 'curl' : 'raw_request';
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadablePaste) throw new CliError('usage', `The request: ${error.message}.`);
    throw error;
  }
}

const signs = { passed: '✓', failed: '✗', not_reached: '·' } as const;
const colours = { passed: 'green', failed: 'red', not_reached: 'gray' } as const;

function findingsText(found: SignatureDebugAnswer, language: Language): string {
  const { valid, verdict, checks, mistake, further_mistakes: further, fix, string_to_sign: toSign } = found;
  const checked = checks.map(({ status, text }) =>
    styled(colours[status], `${signs[status]} ${printable(text)}`),
  );
  const mistakes = [...(mistake === null ? [] : [mistake]), ...further];
  return [
    styled(valid ? 'green' : 'red', printable(verdict)),
    '',
    ...checked,
    '',
    `String to sign (${toSign.bytes} bytes): ${printable(toSign.text)}${toSign.is_cut ? '…' : ''}`,
    ...mistakes.flatMap(({ code, title, text, fix }) => [
      '',
      styled('bold', `${title} (${code})`),
      printable(text),
      `To do: ${fix}`,
    ]),
    ...(fix === null ? [] : ['', fix.code[language]]),
  ].join('\n');
}

import { type Command, Option } from 'commander';
import { readCommandLineConfig } from '../../config.ts';
import type { SignatureDebugAnswer, SignatureDebugInput } from '../../contract/signature-debug.ts';
import { type Language, languages } from '../../domain/signature-debug/fix-lines.ts';
import { newCommand, outputOf, sessionOf } from '../command.ts';
import { type Diagnosis, diagnoseRaw } from '../diagnose/final-line-break.ts';
import { pasteKind } from '../diagnose/pasted-request.ts';
import { subjectOf } from '../diagnose/subject.ts';
import { CliError } from '../exit.ts';
import { formParams } from '../find.ts';
import { readWithSecret } from '../input.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import { styled } from '../output.ts';
import { readBytes } from '../terminal/read-bytes.ts';
import { printable } from '../terminal/safe-text.ts';

interface DiagnoseOptions extends WorkspaceOption {
  readonly form?: string;
  readonly rejection?: string;
  readonly receivedAt?: string;
  readonly language: Language;
}

export const diagnoseCommand = () =>
  inWorkspace(
    newCommand('diagnose', 'Find out what is wrong with a signature; exits with 1 if something is.', [
      'diagnose request.txt                      # offline, with LEADGATE_SECRET or a secret you type',
      'diagnose - --form contact < request.txt   # with the secrets of the service',
      'diagnose --form contact --rejection 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
    ]),
  )
    .argument('[file]', 'a request as raw HTTP or as a curl command; - for standard input', '-')
    .option('-f, --form <form>', 'ask the running service about this form: slug, name or ID')
    .option('--rejection <id>', 'with --form: a diagnostics entry instead of a file')
    .option(
      '--received-at <time>',
      'when the request arrived, such as 2026-11-15T08:00:00Z; default: its Date header, or now',
    )
    .addOption(
      new Option('--language <name>', 'the language of the suggested fix').choices(languages).default('curl'),
    )
    .action(async (file: string, options: DiagnoseOptions, command: Command) => {
      if (options.rejection !== undefined && options.form === undefined)
        throw new CliError('usage', 'A rejection belongs to a form: add --form.');
      const found = await (options.form === undefined
        ? findOffline(file, options)
        : askService(command, file, options, options.form));
      outputOf(command).result(found, findingsText(found, options.language));
      if (!found.valid) process.exitCode = 1;
    });

async function findOffline(file: string, { receivedAt }: DiagnoseOptions): Promise<Diagnosis> {
  const { bytes, secret } = await readWithSecret(file);
  // Loaded here, so that other commands do not wait for it.
  const { diagnoseOffline } = await import('../diagnose/offline.ts');
  const { headerPrefix } = readCommandLineConfig();
  return diagnosePaste(bytes, async (request) =>
    diagnoseOffline({ request, secret, headerPrefix, receivedAt }),
  );
}

async function askService(
  command: Command,
  file: string,
  { workspace, rejection, receivedAt }: DiagnoseOptions,
  form: string,
): Promise<Diagnosis> {
  const { api } = sessionOf(command);
  const paste = rejection === undefined ? await readBytes(file) : null;
  const params = await formParams(api, workspace, form);
  const ask = (subject: SignatureDebugInput) =>
    api.call('POST', '/workspaces/:workspace_id/forms/:form_id/signature-debug', {
      params,
      body: { ...subject, ...(receivedAt === undefined ? {} : { received_at: receivedAt }) },
    });
  if (paste === null) return { ...(await ask({ rejection_id: rejection })), final_line_break: null };
  const { headerPrefix } = readCommandLineConfig();
  return diagnosePaste(paste, (request) => ask(subjectOf(request, headerPrefix)));
}

/** The end of a curl command is not part of the body; the end of a saved request may be. */
async function diagnosePaste(
  paste: Buffer,
  ask: (request: Buffer) => Promise<SignatureDebugAnswer>,
): Promise<Diagnosis> {
  if (pasteKind(paste) === 'curl') return { ...(await ask(paste)), final_line_break: null };
  return diagnoseRaw(paste, ask);
}

const signs = { passed: '✓', failed: '✗', not_reached: '·' } as const;
const colours = { passed: 'green', failed: 'red', not_reached: 'gray' } as const;

function findingsText(found: Diagnosis, language: Language): string {
  const { valid, verdict, checks, mistake, further_mistakes: further, fix, string_to_sign: toSign } = found;
  const { final_line_break: ending } = found;
  const checked = checks.map(({ status, text }) =>
    styled(colours[status], `${signs[status]} ${printable(text)}`),
  );
  const mistakes = [...(mistake === null ? [] : [mistake]), ...further];
  return [
    styled(valid ? 'green' : 'red', printable(verdict)),
    ...(ending === null ? [] : [styled('yellow', ending.text)]),
    '',
    ...checked,
    '',
    `String to sign (${toSign.bytes} bytes): ${printable(toSign.text.replaceAll('\n', ''))}${toSign.is_cut ? '…' : ''}`,
    ...mistakes.flatMap(({ code, title, text, fix }) => [
      '',
      styled('bold', printable(`${title} (${code})`)),
      printable(text),
      `Fix: ${printable(fix)}`,
    ]),
    ...(fix === null ? [] : ['', fix.code[language]]),
  ].join('\n');
}

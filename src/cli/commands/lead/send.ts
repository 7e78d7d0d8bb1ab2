import type { Command } from 'commander';
import {
  type BatchResult,
  Leadgate,
  type LeadgateOptions,
  SubmissionError,
} from '../../../../clients/node/src/leadgate.ts';
import { readCommandLineConfig } from '../../../config.ts';
import { newCommand, outputOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { readSecret } from '../../input.ts';
import { styled } from '../../output.ts';
import { ProgressBar } from '../../terminal/progress.ts';
import { inputBytesMax, linesBytesMax, readBytes } from '../../terminal/read-bytes.ts';
import { printable } from '../../terminal/safe-text.ts';

// The daily limit of a workspace.
const leadsMax = 50_000;
const blankBytes = new Set([0x20, 0x09, 0x0d]);

interface SendOptions {
  readonly file?: string;
  readonly lines?: boolean;
  readonly slug?: string;
  readonly idempotencyKey?: string;
}

export const sendCommand = () =>
  newCommand('send', 'Send leads like a sender, with LEADGATE_TOKEN or signed with LEADGATE_SECRET.', [
    `lead send '{"name":"Ada Lovelace","email":"ada@example.com"}'`,
    'lead send --slug contact --file lead.json',
    'lead send --file leads.ndjson --lines',
  ])
    .argument('[lead]', 'the lead as JSON')
    .option('--file <path>', 'send the exact bytes of this file; - for standard input')
    .option('--lines', 'the file has one lead per line')
    .option('--slug <slug>', 'sign the lead and send it to this form')
    .option('--idempotency-key <key>', 'your own key; with --lines, the line number is appended')
    .action(async (lead: string | undefined, options: SendOptions, command: Command) => {
      if ((lead === undefined) === (options.file === undefined))
        throw new CliError('usage', 'Pass the lead as JSON, or a file with --file.');
      // Before the input, because the end of the input may close the terminal on which a secret is typed.
      const client = clientOf(await credential(options));
      const leads = await leadsOf(lead, options);
      const bar = new ProgressBar('Sending');
      const { idempotencyKey: key } = options;
      const results = await client.submitAll(leads, {
        ...(key === undefined
          ? {}
          : { keyOf: (_lead, place) => (options.lines ? `${key} ${place + 1}` : key) }),
        onProgress: ({ done, total }) => total > 1 && bar.show(done, total),
      });
      bar.end();
      const out = outputOf(command);
      for (const result of results) out.line(viewOf(result), textOf(result));
      failUnlessAccepted(results);
    });

/** Errors of the client keep their own words. */
function clientOf(options: LeadgateOptions): Leadgate {
  try {
    return new Leadgate(options);
  } catch (error) {
    throw new CliError('usage', (error as Error).message);
  }
}

async function leadsOf(lead: string | undefined, { file, lines }: SendOptions): Promise<(string | Buffer)[]> {
  if (file === undefined) return [lead as string];
  const bytes = await readBytes(file, lines ? linesBytesMax : inputBytesMax);
  if (!lines) return [bytes];
  const leads = linesOf(bytes).filter((line) => line.some((byte) => !blankBytes.has(byte)));
  if (leads.length === 0) throw new CliError('usage', 'The input has no lead.');
  if (leads.length > leadsMax)
    throw new CliError(
      'usage',
      `You can send ${leadsMax} leads at a time, but the input has ${leads.length}.`,
    );
  return leads;
}

/** As bytes: a line that is not text is sent unchanged, and the service decides. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    lines.push(bytes.subarray(start, end === -1 ? bytes.length : end));
    start = end === -1 ? bytes.length : end + 1;
  }
  return lines;
}

async function credential({ slug }: SendOptions): Promise<LeadgateOptions> {
  const { url, headerPrefix, token } = readCommandLineConfig();
  if (slug !== undefined) return { url, headerPrefix, slug, secret: await readSecret() };
  if (token !== null) return { url, headerPrefix, token };
  throw new CliError('usage', 'Set LEADGATE_TOKEN to send with a token, or add --slug to sign the lead.');
}

function viewOf(result: BatchResult): object {
  if (result.status === 'failed') return { status: 'failed', error: String(result.error) };
  const { status, requestId: request_id, idempotencyKey: idempotency_key } = result;
  const id = result.status === 'accepted' ? { submission_id: result.submissionId } : {};
  return { status, ...id, request_id, idempotency_key };
}

function textOf(result: BatchResult): string {
  switch (result.status) {
    case 'accepted':
      return `${styled('green', 'accepted')} ${result.submissionId}`;
    case 'rejected':
      return `${styled('red', 'rejected')} request ID ${result.requestId}`;
    case 'failed':
      return `${styled('red', 'failed')} ${printable((result.error as Error).message)}`;
  }
}

function failUnlessAccepted(results: readonly BatchResult[]): void {
  const failed = results.filter(({ status }) => status !== 'accepted');
  if (failed.length === 0) return;
  const isUnreachable = failed.every(
    (result) =>
      result.status === 'failed' &&
      result.error instanceof SubmissionError &&
      result.error.code !== 'unexpected_answer',
  );
  const text = `${failed.length} of ${results.length} leads were not accepted.`;
  throw new CliError(isUnreachable ? 'unreachable' : 'failure', text);
}

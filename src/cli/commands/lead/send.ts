import type { Command } from 'commander';
import {
  type BatchResult,
  Leadgate,
  type LeadgateOptions,
  SubmissionError,
} from '../../../../clients/node/src/leadgate.ts';
import { readCommandLineConfig } from '../../../config.ts';
import { bodyBytesMax } from '../../../domain/lead/lead.ts';
import { newCommand, outputOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { readSecret } from '../../input.ts';
import { styled } from '../../output.ts';
import { ProgressBar } from '../../terminal/progress.ts';
import { inputBytesMax, linesBytesMax, readBytes } from '../../terminal/read-bytes.ts';
import { printable } from '../../terminal/safe-text.ts';
import { type Explanation, explainRejections, whereReasonsAre } from '../rejection/explain.ts';

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
    'lead send lead.json --slug contact',
    'lead send - < lead.json',
    'lead send leads.ndjson --lines',
  ])
    .argument(
      '[file-or-json]',
      'a file, whose exact bytes are sent; - for standard input; or the lead as JSON',
    )
    .option('--file <path>', 'the same, for a file whose name begins with { or [')
    .option('--lines', 'the input has one lead per line')
    .option('--slug <slug>', 'sign the lead and send it to this form')
    .option('--idempotency-key <key>', 'your own key; with --lines, the line number is appended')
    .addHelpText(
      'after',
      '\nIf a lead is rejected, prints the reason if there is a key that may read diagnostics: the operator key, or an API key with diagnostics:read.',
    )
    .action(async (given: string | undefined, options: SendOptions, command: Command) => {
      if ((given === undefined) === (options.file === undefined))
        throw new CliError('usage', 'Pass a file, - for standard input, or the lead as JSON.');
      // Before the input, because the end of the input may close the terminal on which a secret is typed.
      const client = clientOf(await credential(options));
      const leads = await leadsOf(given, options);
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
      const rejected = results.filter(({ status }) => status === 'rejected').map(requestIdOf);
      const reasons = await explainRejections(command, rejected);
      for (const result of results) {
        const why = reasons.get(String(requestIdOf(result)));
        out.line(viewOf(result, why), textOf(result, why));
      }
      failUnlessAccepted(results, reasons.size < rejected.length);
    });

/** Errors of the client keep their own words. */
function clientOf(options: LeadgateOptions): Leadgate {
  try {
    return new Leadgate(options);
  } catch (error) {
    throw new CliError('usage', (error as Error).message);
  }
}

async function leadsOf(given: string | undefined, { file, lines }: SendOptions): Promise<Buffer[]> {
  const path = file ?? given ?? '-';
  const isJson = file === undefined && /^\s*[{[]/.test(path);
  const bytes = isJson ? Buffer.from(path) : await readBytes(path, lines ? linesBytesMax : inputBytesMax);
  if (!lines) return [checked(bytes, isJson ? 'The lead' : path === '-' ? 'Standard input' : path)];
  const leads = linesOf(bytes).filter((line) => line.some((byte) => !blankBytes.has(byte)));
  if (leads.length === 0) throw new CliError('usage', 'The input has no lead.');
  if (leads.length > leadsMax)
    throw new CliError(
      'usage',
      `You can send ${leadsMax} leads at a time, but the input has ${leads.length}.`,
    );
  return leads;
}

/** Throws for a body that every service rejects, so that it is not sent. */
function checked(bytes: Buffer, name: string): Buffer {
  if (bytes.length > bodyBytesMax)
    throw new CliError('usage', `${name} has ${bytes.length} bytes; a lead can have up to ${bodyBytesMax}.`);
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return bytes;
  } catch (error) {
    throw new CliError('usage', printable(`${name} is not JSON: ${(error as Error).message}.`));
  }
  throw new CliError('usage', `${name} is not a JSON object, which a lead must be.`);
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

function requestIdOf(result: BatchResult): string | null {
  return result.status === 'failed' ? null : result.requestId;
}

function viewOf(result: BatchResult, why: Explanation | undefined): object {
  if (result.status === 'failed') return { status: 'failed', error: String(result.error) };
  const { status, requestId: request_id, idempotencyKey: idempotency_key } = result;
  if (status === 'accepted')
    return { status, submission_id: result.submissionId, request_id, idempotency_key };
  const { reason = null, text = null, fix = null } = why ?? {};
  return { status, request_id, idempotency_key, reason, text, fix };
}

function textOf(result: BatchResult, why: Explanation | undefined): string {
  switch (result.status) {
    case 'accepted':
      return `${styled('green', 'accepted')} ${result.submissionId}`;
    case 'rejected':
      return [
        `${styled('red', 'rejected')} request ID ${result.requestId}`,
        ...(why === undefined ? [] : [printable(`  ${why.reason}: ${why.text}`), `  Fix: ${why.fix}`]),
      ].join('\n');
    case 'failed':
      return `${styled('red', 'failed')} ${printable((result.error as Error).message)}`;
  }
}

function failUnlessAccepted(results: readonly BatchResult[], hasUnknownReasons: boolean): void {
  const failed = results.filter(({ status }) => status !== 'accepted');
  if (failed.length === 0) return;
  const isUnreachable = failed.every(
    (result) =>
      result.status === 'failed' &&
      result.error instanceof SubmissionError &&
      result.error.code !== 'unexpected_answer',
  );
  const text = `${failed.length} of ${results.length} leads were not accepted.`;
  const more = hasUnknownReasons ? ` ${whereReasonsAre}` : '';
  throw new CliError(isUnreachable ? 'unreachable' : 'failure', text + more);
}

import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { type CliResult, cliScript, leadgate, warmLeadgate } from '../support/command-line/command-line.ts';

const scratch = mkdtempSync(join(tmpdir(), 'leadgate-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const secret = 'whsec_test';
const env = { LEADGATE_SECRET: secret };
const body = '{"email":"ada@example.com"}';
const timestamp = '1750000000';
const signatureOf = (bytes: string | Buffer) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest('hex');

/** Through a shell, so that redirections and pipes are those that people use. */
async function inShell(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const own = { ...env, PATH: process.env.PATH ?? '', NODE: process.execPath, CLI: cliScript };
  try {
    const done = await promisify(execFile)('bash', ['--norc', '-c', line], { env: own, cwd: scratch });
    return { code: 0, ...done };
  } catch (error) {
    return error as Awaited<ReturnType<typeof inShell>>;
  }
}

const signed = '"$NODE" "$CLI" sign - --timestamp 1750000000';

describe('standard input', () => {
  test('is read to its end from a pipe that is slow and does not block', async () => {
    const large = Buffer.alloc(5 * 1024 ** 2, body);
    const child = spawn(process.execPath, [cliScript, 'sign', '-', '--timestamp', timestamp, '--json'], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    // Node gives its children sockets, which do not block. This one is emptied before it is filled again, many times over, and
    // stays open until all of it has been taken.
    await new Promise((resolve) => child.stdin.write(large, resolve));
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(JSON.parse(stdout).signature).toBe(signatureOf(large));
  });

  test('is read from a pipe whose writer comes late, and from a file', async () => {
    writeFileSync(join(scratch, 'body.json'), body);
    const late = await inShell(`(sleep 1; printf %s '${body}') | ${signed}`);
    const file = await inShell(`${signed} < body.json`);
    for (const { code, stdout } of [late, file]) {
      expect(code).toBe(0);
      expect(stdout).toContain(signatureOf(body));
    }
  });

  test.each([
    ['that is empty', `${signed} < /dev/null`, 'Standard input is empty.'],
    ['that is closed', `${signed} <&-`, 'Standard input is empty.'],
    ['without an end', `${signed} < /dev/zero`, 'Standard input is larger than the limit of 16 MiB'],
  ])('%s is a usage error in one sentence', async (_what, line, text) => {
    const { code, stdout, stderr } = await inShell(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(text);
    expect(stderr.trim()).toMatch(/^Standard input .*$/);
  });

  test('that is not text is signed byte by byte from a file, and refused where it would be part of a command', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    const file = join(scratch, 'bytes.bin');
    writeFileSync(file, bytes);
    const { json } = await leadgate(['sign', file, '--timestamp', timestamp, '--json'], { env });
    expect(json.signature).toBe(signatureOf(bytes));
    const piped = await leadgate(['sign', '-', '--timestamp', timestamp], { env, input: bytes });
    expect(piped).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('the line break that an editor adds', () => {
  async function diagnosed(
    signedBody: string | Buffer,
    fileBody: string | Buffer,
    headers = '',
  ): Promise<CliResult> {
    const file = join(scratch, 'request.txt');
    const head = `POST /api/v1/ingest/contact HTTP/1.1\nContent-Type: application/json\nX-SVC-Timestamp: ${timestamp}\n`;
    const signature = `X-SVC-Signature: ${signatureOf(signedBody)}\n`;
    writeFileSync(
      file,
      Buffer.concat([Buffer.from(`${head}${signature}${headers}\n`), Buffer.from(fileBody)]),
    );
    return warmLeadgate(['diagnose', file, '--json', '--received-at', '2025-06-15T15:06:40Z'], { env });
  }
  const bytes = body.length;

  test.each<[string, string, string, string, boolean, string, string | null]>([
    ['signed without, sent without', body, '\n', `Content-Length: ${bytes}\n`, true, 'without', 'without'],
    ['signed with, sent without', `${body}\n`, '\n', `Content-Length: ${bytes}\n`, false, 'without', 'with'],
    ['signed with, sent with', `${body}\n`, '\n', `Content-Length: ${bytes + 1}\n`, true, 'with', 'with'],
    ['signed without, sent with', body, '\n', `Content-Length: ${bytes + 1}\n`, false, 'with', 'without'],
    ['signed without, sent who knows how', body, '\n', '', true, 'unknown', 'without'],
    ['signed with, sent who knows how', `${body}\n`, '\n', '', false, 'unknown', 'with'],
    ['CRLF, signed without', body, '\r\n', '', true, 'unknown', 'without'],
    ['CRLF, signed with', `${body}\r\n`, '\r\n', '', false, 'unknown', 'with'],
    ['LF in the file, CRLF signed', `${body}\r\n`, '\n', '', false, 'unknown', 'other_line_break'],
    ['signed otherwise', 'other', '\n', '', false, 'unknown', null],
  ])('%s: says which body matches and which one the service sees', async (_case, ...row) => {
    const [signedBody, lineBreak, headers, valid, service_sees, signature_covers] = row;
    const { code, json } = await diagnosed(signedBody, body + lineBreak, headers);
    expect(code).toBe(valid ? 0 : 1);
    expect(json).toMatchObject({ valid, final_line_break: { service_sees, signature_covers } });
    expect(json.final_line_break.text).toContain('service sees');
  });

  test('is not mentioned if there is none', async () => {
    const { code, json } = await diagnosed(body, body);
    expect(code).toBe(0);
    expect(json).toMatchObject({ valid: true, final_line_break: null });
  });

  test('a body that is not text is judged by its bytes', async () => {
    const latin = Buffer.from('{"name":"Zo\xeb"}', 'latin1');
    const { json } = await diagnosed(latin, Buffer.concat([latin, Buffer.from('\n')]));
    expect(json).toMatchObject({ valid: true, final_line_break: { bytes_without: latin.length } });
  });

  test('is signed with a note, and left out if asked; the curl command sends what was signed', async () => {
    const file = join(scratch, 'lead.json');
    writeFileSync(file, `${body}\n`);
    const words = ['sign', file, '--timestamp', timestamp, '--json'];
    const kept = await warmLeadgate(words, { env });
    expect(kept.json).toMatchObject({ signature: signatureOf(`${body}\n`), body_bytes: bytes + 1 });
    expect(kept.json.curl).toContain(`--data-binary '@${file}'`);
    expect(kept.stderr).toContain('--trim-final-newline');
    const trimmed = await warmLeadgate([...words, '--trim-final-newline'], { env });
    expect(trimmed).toMatchObject({ code: 0, stderr: '' });
    expect(trimmed.json).toMatchObject({ signature: signatureOf(body), body_bytes: bytes });
    expect(trimmed.json.curl).toContain(`--data-binary '${body}'`);
  });
});

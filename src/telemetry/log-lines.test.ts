import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../test/support/diagnostics.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { systemClock } from '../time/real-clock.ts';
import { LogLines } from './log-lines.ts';

const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const told = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.includes('log lines dropped'))
    .reduce((sum, line) => sum + JSON.parse(line).lines, 0);

describe.runIf(process.platform === 'linux')('lines of a log', () => {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

  /** A pipe with a name, so that its reader can stop and another one can follow. */
  function openPipe(name: string) {
    const path = join(folder, name);
    execFileSync('mkfifo', [path]);
    const open = () => openSync(path, O_RDONLY | O_NONBLOCK);
    const reader = open();
    return { open, reader, lines: new LogLines(openSync(path, O_WRONLY | O_NONBLOCK), systemClock) };
  }

  /** What a reader gets until that text comes. */
  async function readUntil(reader: number, end: string): Promise<string> {
    let text = '';
    const part = Buffer.alloc(100_000);
    const more = async () => {
      try {
        text += part.toString('utf8', 0, readSync(reader, part));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('EAGAIN');
      }
      return text;
    };
    return eventually(more, () => text.includes(end));
  }

  test('a full disk drops and counts them, whether they come together or one by one', async () => {
    const lines = new LogLines(openSync('/dev/full', 'w'), systemClock);
    for (const line of ['one\n', 'two\n', 'three\n']) lines.write(line);
    expect(
      await eventually(
        async () => lines.dropped,
        (count) => count === 3,
      ),
    ).toBe(3);
    expect(lines.isWritable).toBe(false);
    lines.write('four\n');
    expect(
      await eventually(
        async () => lines.dropped,
        (count) => count === 4,
      ),
    ).toBe(4);
  });

  test('after a reader has stopped, the next one is told how many are missing, and gets all that follow', async () => {
    const { open, reader, lines } = openPipe('stopped');
    lines.write('read\n');
    expect(await readUntil(reader, 'read\n')).toBe('read\n');
    closeSync(reader);
    for (const line of ['one\n', 'two\n']) lines.write(line);
    await eventually(
      async () => lines.dropped,
      (count) => count === 2,
    );
    const next = open();
    const first = await readUntil(next, '\n');
    expect(told(first)).toBe(2);
    expect(
      await eventually(
        async () => lines.isWritable,
        (is) => is,
      ),
    ).toBe(true);
    lines.write('three\n');
    expect(await readUntil(next, 'three\n')).toBe('three\n');
    expect(lines.dropped).toBe(2);
  });

  test('a slow reader gets all that fit in memory in order, and is told of the rest', async () => {
    const { reader, lines } = openPipe('slow');
    const count = 100_000;
    const lineOf = (at: number) => `${String(at).padStart(99)}\n`;
    for (let at = 0; at < count; at++) lines.write(lineOf(at));
    expect(lines.dropped).toBeGreaterThan(count / 2);
    const last = count - lines.dropped - 1;
    const text = await readUntil(reader, lineOf(last));
    const kept = text.split('\n').filter((line) => line.startsWith(' '));
    expect(kept.map(Number)).toEqual(Array.from({ length: last + 1 }, (_, at) => at));
    expect(told(text)).toBe(lines.dropped);
  });

  test('a line that was cut short spoils no other when there is space again', async () => {
    const path = join(folder, 'limited');
    // The limit for files stands for a small disk, because anyone may set it. 512 or 1,024 bytes, by the shell.
    const script = `
      import { LogLines } from ${JSON.stringify(join(import.meta.dirname, 'log-lines.ts'))};
      import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../time/real-clock.ts'))};
      const lines = new LogLines(2, systemClock);
      process.stdin.on('data', (text) => lines.write(String(text)));
      setInterval(() => lines.dropped > 0 && process.stdout.write('dropped'), 10).unref();`;
    const log = openSync(path, 'a');
    const words = [
      '-c',
      'ulimit -f 1; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ];
    const child = spawn('sh', words, { stdio: ['pipe', 'pipe', log] }) as ChildProcessByStdio<
      Writable,
      Readable,
      null
    >;
    closeSync(log);
    const content = () => readFileSync(path, 'utf8');
    const dropped = once(child.stdout, 'data');
    child.stdin.write(`${JSON.stringify({ text: 'x'.repeat(1_100) })}\n`);
    await dropped;
    const torn = content().length;
    expect(content().endsWith('\n')).toBe(false);
    // Space for what follows; the line that was cut short stays.
    truncateSync(path, torn % 100);
    const text = await eventually(
      async () => content(),
      (found) => found.includes('log lines dropped'),
    );
    child.stdin.end('{"text":"last"}\n');
    await once(child, 'exit');
    const whole = content()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line));
    expect(told(text)).toBe(1);
    expect(whole).toEqual([expect.objectContaining({ lines: 1 }), { text: 'last' }]);
  });
});

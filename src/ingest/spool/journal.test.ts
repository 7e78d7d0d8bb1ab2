import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realDisk } from '../../disk/real-disk.ts';
import { systemClock } from '../../time/real-clock.ts';
import { Journal } from './journal.ts';
import { readSegment } from './segment.ts';

let dir: string;
let journal: Journal;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'leadgate-journal-'));
  journal = new Journal(dir, { disk: realDisk, clock: systemClock });
});
afterEach(async () => {
  await journal.seal();
  chmodSync(dir, 0o700);
  rmSync(dir, { recursive: true, force: true });
});

function contents(): string[] {
  return readdirSync(dir)
    .toSorted()
    .flatMap((name) => readSegment(readFileSync(join(dir, name))).records)
    .map(({ payload }) => payload.toString());
}

test('a record is on disk when its append resolves, in the order of the appends', async () => {
  const words = Array.from({ length: 100 }, (_, n) => `word ${n}`);
  await Promise.all(
    words.map(async (word, n) => {
      await journal.append(Buffer.from(word));
      expect(contents().slice(0, n + 1)).toEqual(words.slice(0, n + 1));
    }),
  );
  expect(contents()).toEqual(words);
});

test('only the owner may read a segment', async () => {
  await journal.append(Buffer.from('x'));
  const [name = ''] = readdirSync(dir);
  expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
});

test('an append after sealing starts a new segment', async () => {
  await journal.append(Buffer.from('one'));
  const first = journal.openSegment;
  await journal.seal();
  expect(journal.openSegment).toBeNull();
  await journal.append(Buffer.from('two'));
  expect(journal.openSegment).not.toBe(first);
  expect(contents()).toEqual(['one', 'two']);
});

test('a segment counts as open from the moment its file exists', async () => {
  let isDone = false;
  const appending = journal.append(Buffer.from('x')).then(() => {
    isDone = true;
  });
  while (!isDone) {
    for (const name of readdirSync(dir)) expect(name).toBe(journal.openSegment);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await appending;
});

test('sealing waits for the write under way, but not for later ones', async () => {
  let done = 0;
  const appends = Array.from({ length: 200 }, () =>
    journal.append(Buffer.alloc(128 * 1024)).then(() => done++),
  );
  await journal.seal();
  expect(done).toBeLessThan(appends.length);
  await Promise.all(appends);
  expect(contents()).toHaveLength(appends.length);
});

test('a large backlog is spread over segments', async () => {
  for (let n = 0; n < 6; n++)
    await Promise.all(Array.from({ length: 25 }, () => journal.append(Buffer.alloc(128 * 1024))));
  expect(readdirSync(dir).length).toBeGreaterThan(1);
  expect(contents()).toHaveLength(150);
});

test('an append to a missing folder fails, leaves nothing behind, and succeeds once the folder exists', async () => {
  const journal = new Journal(join(dir, 'gone'), { disk: realDisk, clock: systemClock });
  await expect(journal.append(Buffer.from('lost'))).rejects.toThrow('ENOENT');
  expect(readdirSync(dir)).toEqual([]);
  mkdirSync(join(dir, 'gone'));
  await journal.append(Buffer.from('kept'));
  await journal.seal();
  expect(readdirSync(join(dir, 'gone'))).toHaveLength(1);
});

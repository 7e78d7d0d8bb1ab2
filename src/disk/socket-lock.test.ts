import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeSocketLock } from './socket-lock.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'leadgate-lock-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('a lock that is held cannot be taken, and can be once it is released', async () => {
  const path = join(dir, 'held');
  const lock = await takeSocketLock(path);
  expect(await takeSocketLock(path)).toBeNull();
  await lock?.release();
  const next = await takeSocketLock(path);
  expect(next).not.toBeNull();
  await next?.release();
});

test.runIf(process.platform === 'linux')('a folder with a very long path can be locked', async () => {
  const deep = join(dir, 'x'.repeat(120));
  mkdirSync(deep);
  const lock = await takeSocketLock(join(deep, 'lock'));
  expect(lock).not.toBeNull();
  expect(await takeSocketLock(join(deep, 'lock'))).toBeNull();
  await lock?.release();
});

test('a process keeps its lock while it is stopped, and loses it when it is killed', async () => {
  const path = join(dir, 'process');
  const hold = `import('${join(import.meta.dirname, 'socket-lock.ts')}')
    .then(({ takeSocketLock }) => takeSocketLock('${path}'))
    .then(() => { console.log('held'); setInterval(() => {}, 1000); });`;
  const child = spawn(process.execPath, ['-e', hold], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  expect(await takeSocketLock(path)).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await takeSocketLock(path);
  expect(lock).not.toBeNull();
  await lock?.release();
});

test('a lock in a folder that was removed fails like any file in it', async () => {
  await expect(takeSocketLock(join(dir, 'removed', 'lock'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a folder cannot be removed while someone has a lock in it', async () => {
  const folder = join(dir, 'locked');
  mkdirSync(folder);
  const lock = await takeSocketLock(join(folder, 'lock'));
  expect(() => rmdirSync(folder)).toThrow('ENOTEMPTY');
  await lock?.release();
  rmdirSync(folder);
});

test('of many processes that find the lock of a dead one at the same time, one gets it', async () => {
  const holder = join(import.meta.dirname, 'socket-lock.ts');
  const take = `import('${holder}').then(async ({ takeSocketLock }) => {
    process.stdout.write('ready');
    process.stdin.once('data', async (path) => console.log((await takeSocketLock(String(path))) ? 'held' : 'null'));
  });`;
  const start = () => spawn(process.execPath, ['-e', take], { stdio: ['pipe', 'pipe', 'inherit'] });
  const children = Array.from({ length: 4 }, start);
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
  const path = join(dir, 'contended');
  // What a dead process leaves behind.
  writeFileSync(path, '');
  const results = children.map(({ stdout }) => once(stdout, 'data'));
  for (const { stdin } of children) stdin.write(path);
  const said = (await Promise.all(results)).map(([chunk]) => String(chunk).trim());
  for (const child of children) child.kill('SIGKILL');
  expect(said.toSorted()).toEqual(['held', 'null', 'null', 'null']);
});

test.runIf(process.platform === 'linux')(
  'of many processes that wait for a lock while it is released, one gets it',
  async () => {
    const path = join(dir, 'released');
    // While a process has the lock, it has a file that no other process may find.
    const takeOften = `import('${join(import.meta.dirname, 'socket-lock.ts')}').then(async ({ takeSocketLock }) => {
      const { rmSync, writeFileSync } = await import('node:fs');
      process.stdout.write('ready');
      process.stdin.once('data', async () => {
        for (let taken = 0; taken < 100; ) {
          const lock = await takeSocketLock('${path}');
          if (lock === null) continue;
          taken++;
          writeFileSync('${path}-holder', '', { flag: 'wx' });
          await new Promise(setImmediate);
          rmSync('${path}-holder');
          await lock.release();
        }
        process.exit();
      });
    });`;
    const start = () => spawn(process.execPath, ['-e', takeOften], { stdio: ['pipe', 'pipe', 'ignore'] });
    const children = Array.from({ length: 3 }, start);
    const codes = children.map((child) => once(child, 'exit').then(([code]) => code));
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    for (const { stdin } of children) stdin.write('go');
    expect(await Promise.all(codes)).toEqual([0, 0, 0]);
  },
);

import { expect, test } from 'vitest';
import { Places, type Release } from './expensive-calls.ts';

const patient = { inProgressMax: 2, waitingMax: 3, waitMsMax: 600_000 };

/** Lets settled promises continue. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('waiting calls start in the order in which they arrived, one for each that ends', async () => {
  const places = new Places(patient);
  const begun: string[] = [];
  const releases: Release[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    void places.take('ada').then((release) => {
      begun.push(name);
      releases.push(release);
    });
  }
  await settled();
  expect(begun).toEqual(['a', 'b']);
  releases[0]?.();
  releases[0]?.();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const expected of ['d', 'e']) {
    releases.at(-1)?.();
    await settled();
    expect(begun.at(-1)).toBe(expected);
  }
  for (const release of releases) release();
  expect(places.callers).toBe(0);
});

test('one caller does not wait for another', async () => {
  const places = new Places(patient);
  await Promise.all([places.take('ada'), places.take('ada')]);
  await expect(places.take('max')).resolves.toBeTypeOf('function');
});

test('a call that has waited too long is refused, and takes no place later', async () => {
  const places = new Places({ ...patient, waitMsMax: 1 });
  const releases = await Promise.all([places.take('ada'), places.take('ada')]);
  await expect(places.take('ada')).rejects.toMatchObject({
    code: 'too_many_in_progress',
    extras: { headers: { 'retry-after': '1' } },
  });
  for (const release of releases) release();
  expect(places.callers).toBe(0);
});

test('calls beyond the queue are refused immediately', async () => {
  const places = new Places(patient);
  const releases = await Promise.all([places.take('ada'), places.take('ada')]);
  const waiting = [places.take('ada'), places.take('ada'), places.take('ada')];
  await expect(places.take('ada')).rejects.toMatchObject({ extras: { headers: { 'retry-after': '5' } } });
  for (const release of releases) release();
  for (const release of await Promise.all(waiting.slice(0, 2))) release();
  (await waiting[2])?.();
  expect(places.callers).toBe(0);
});

test('a caller that disconnects leaves the queue', async () => {
  const places = new Places(patient);
  const [release] = await Promise.all([places.take('ada'), places.take('ada')]);
  const caller = new AbortController();
  const gone = places.take('ada', caller.signal);
  const behind = places.take('ada');
  caller.abort();
  await expect(gone).rejects.toMatchObject({ code: 'too_many_in_progress' });
  release?.();
  await expect(behind).resolves.toBeTypeOf('function');
  await expect(places.take('ada', caller.signal)).rejects.toMatchObject({ code: 'too_many_in_progress' });
});

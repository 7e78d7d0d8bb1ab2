import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileContents } from '../../simulate/disk/files.ts';
import { HostDisk } from '../../simulate/disk/host-disk.ts';
import { ProcessDisk } from '../../simulate/disk/process-disk.ts';
import { Life } from '../../simulate/life.ts';
import { SpoolFolder } from '../../src/ingest/spool/folder.ts';
import { Random } from '../../src/time/random.ts';
import { seededRandomness } from '../../src/time/randomness.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';

test('synced data survives a power loss, and nothing appears that was not written', () => {
  const parts = fc.array(fc.record({ bytes: fc.uint8Array({ maxLength: 8 }), isSynced: fc.boolean() }));
  fc.assert(
    fc.property(parts, fc.nat(), (writes, seed) => {
      const file = new FileContents();
      let synced = 0;
      for (const { bytes, isSynced } of writes) {
        file.write(Buffer.from(bytes), file.live.length);
        if (isSynced) file.sync();
        if (isSynced) synced = file.live.length;
      }
      const written = file.live;
      file.losePower(new Random(seed));
      expect(file.live.length).toBeGreaterThanOrEqual(synced);
      expect(file.live.subarray(0, synced)).toEqual(written.subarray(0, synced));
      for (const [place, byte] of file.live.entries()) expect([written[place], 0]).toContain(byte);
    }),
  );
});

test('after a failed sync nothing more reaches the disk, whatever later syncs report', () => {
  const found = new Set<number>();
  for (let seed = 0; seed < 50; seed++) {
    const file = new FileContents();
    file.write(Buffer.from('kept'), 0);
    file.sync();
    file.failSync();
    file.write(Buffer.from('gone'), 4);
    file.sync();
    file.losePower(new Random(seed));
    found.add(file.live.length);
  }
  expect(found).toContain(4);
});

test('after a power loss, a file exists if its folder was synced, and may be missing if not', () => {
  const counts = { synced: 0, unsynced: 0 };
  for (let seed = 0; seed < 50; seed++) {
    const disk = new HostDisk(new Random(seed));
    disk.addFolder('/spool');
    disk.addFile('/spool/synced');
    disk.syncFolder('/spool');
    disk.addFile('/spool/unsynced');
    disk.losePower();
    for (const name of disk.list('/spool')) counts[name as keyof typeof counts]++;
  }
  expect(counts.synced).toBe(50);
  expect(counts.unsynced).toBeGreaterThan(0);
  expect(counts.unsynced).toBeLessThan(50);
});

test('cursors that several nodes write at once do not mix', async () => {
  for (let seed = 0; seed < 30; seed++) {
    const clock = new SimulatedClock(0);
    const random = new Random(seed);
    const host = new HostDisk(random);
    const life = new Life('', clock, random);
    const disk = new ProcessDisk(host, life);
    const randomness = seededRandomness(random, clock);
    const created = SpoolFolder.create({ disk, root: '/spool', clock, randomness });
    await clock.advance(1_000);
    const folder = await created;
    const written = Promise.all([
      folder.setCursor('segment', 1_000),
      folder.setCursor('segment', 2_100),
      folder.setCursor('segment', 90),
    ]);
    await clock.advance(1_000);
    await written;
    expect(host.file(`${folder.dir}/segment.drained`).live.toString()).toBe('90');
  }
});

test('a folder that another process adopts while it is closed is not removed', async () => {
  let adoptions = 0;
  for (let seed = 0; seed < 100; seed++) {
    const clock = new SimulatedClock(0);
    const random = new Random(seed);
    const host = new HostDisk(random);
    const depsOf = (name: string) => {
      const disk = new ProcessDisk(host, new Life(name, clock, random));
      return { disk, root: '/spool', clock, randomness: seededRandomness(random, clock) };
    };
    const created = SpoolFolder.create(depsOf('first'));
    await clock.advance(1_000);
    const closed = (await created).close();
    const adopting = SpoolFolder.adoptAll(depsOf('second'), new Set());
    await clock.advance(1_000);
    await closed;
    for (const { dir } of await adopting) {
      adoptions++;
      expect(host.list(dir)).toEqual([]);
    }
  }
  expect(adoptions).toBeGreaterThan(0);
});

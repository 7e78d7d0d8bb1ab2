import { expect, test } from 'vitest';
import { UnderwayWorkspaces } from './underway.ts';

test('workspaces without leads under way are forgotten once there are many, and no others', () => {
  const workspaces = new UnderwayWorkspaces();
  const busyId = Buffer.from('busy');
  const busy = workspaces.of(busyId);
  workspaces.begin(busy, false);
  for (let number = 0; number < 50_000; number++) {
    const idle = workspaces.of(Buffer.from(`${number}`));
    workspaces.begin(idle, false);
    workspaces.end(idle);
  }
  expect(workspaces.known).toBeLessThanOrEqual(10_001);
  expect(workspaces.of(busyId)).toBe(busy);
  expect(workspaces.active).toBe(1);
});

test('however many workspaces have leads under way, none of them is forgotten', () => {
  const workspaces = new UnderwayWorkspaces();
  const ids = Array.from({ length: 25_000 }, (_, number) => Buffer.from(`${number}`));
  const all = ids.map((id) => {
    const underway = workspaces.of(id);
    workspaces.begin(underway, false);
    return underway;
  });
  expect(ids.every((id, number) => workspaces.of(id) === all[number])).toBe(true);
  expect(workspaces.active).toBe(ids.length);
});

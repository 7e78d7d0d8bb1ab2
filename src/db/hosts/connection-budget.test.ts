import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { connectionBudget, connectionsMax, hostConnectionsMax } from './connection-budget.ts';

const keys = { OPERATOR_KEY: 'o'.repeat(32), ENCRYPTION_KEY: 'e'.repeat(32) };
const workersOf = (env: Record<string, string>) => readConfig({ ...keys, ...env }).workers;

test('no number of workers that can be configured opens more than 70 connections', () => {
  expect(connectionsMax(workersOf({ WORKERS: '9' }))).toBeLessThanOrEqual(hostConnectionsMax);
  expect(() => workersOf({ WORKERS: '10' })).toThrow('WORKERS: must be auto, or a number from 1 to 9');
});

test('a process that is alone has as many connections as before, and workers have one lane each', () => {
  expect(connectionBudget(1, true).poolConnectionsMax).toBe(10);
  expect(connectionBudget(4, true)).toEqual({ poolConnectionsMax: 10, laneCount: 1 });
  expect(connectionBudget(4, false)).toEqual({ poolConnectionsMax: 2, laneCount: 1 });
});

test('one worker is the default, and roles that accept no leads have only one', () => {
  expect(workersOf({})).toBe(1);
  expect(workersOf({ WORKERS: 'auto' })).toBeGreaterThanOrEqual(1);
  expect(workersOf({ WORKERS: 'auto', ROLE: 'manage' })).toBe(1);
  expect(() => workersOf({ WORKERS: '2', ROLE: 'manage' })).toThrow(
    'WORKERS: must be 1 or auto for this ROLE',
  );
  for (const wrong of ['0', '-1', 'many', '1.5']) {
    expect(() => workersOf({ WORKERS: wrong })).toThrow('WORKERS: must be auto, or a number from 1 to 9');
  }
});

import { expect, test } from 'vitest';
import { checkWorkers } from './workers.ts';

const large = { cores: 8, memoryBytes: 16_000_000_000 };
const twoRun = { configured: 2, running: 2, restarts: 0, seconds_since_restart: null };

test('doctor says how many workers are configured, and how many of a running service run', () => {
  expect(checkWorkers(1, null, { cores: 1, memoryBytes: 1 })).toEqual([
    { check: 'workers', status: 'ok', text: 'WORKERS is 1: the service is one process.', fix: null },
  ]);
  expect(checkWorkers(4, null, large)).toMatchObject([{ status: 'ok', text: 'WORKERS is 4.' }]);
  const [found] = checkWorkers(2, { ...twoRun, running: 1 }, large);
  expect(found).toMatchObject({ status: 'ok', text: '1 of 2 are running.' });
  // In a shell without the variables of the service.
  expect(checkWorkers(1, twoRun, large)).toMatchObject([{ status: 'ok', text: '2 of 2 are running.' }]);
});

test('doctor warns of more workers than cores, of too little memory, and of a change that needs a restart', () => {
  const small = { cores: 2, memoryBytes: 512_000_000 };
  const found = checkWorkers(3, twoRun, small);
  expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
    'workers warning',
    'workers warning',
    'memory warning',
  ]);
  expect(found.map(({ text }) => text)).toEqual([
    'WORKERS is 3, but the running service was started with 2.',
    'There are 3 workers, but only 2 cores.',
    '3 workers take about 1080 MB under load, but this machine or container has 512 MB.',
  ]);
  expect(checkWorkers(2, null, { cores: 2, memoryBytes: 800_000_000 })).toMatchObject([{ status: 'ok' }]);
});

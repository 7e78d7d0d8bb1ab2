import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The root of this repository. */
export const root = join(import.meta.dirname, '../..');

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

// Builds, and the copies of the source in the results of chaos runs.
const isMade = /(?:^|\/)(?:node_modules|dist|results)\//;

export function pathsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !isMade.test(path));
}

export function filesIn(folder: string, ...endings: string[]): SourceFile[] {
  return pathsIn(folder)
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export const folderOf = (path: string) => dirname(path);
export const isTest = ({ path }: SourceFile) => path.endsWith('.test.ts');

const service = filesIn('src', '.ts');
export const sources = service.filter((file) => !isTest(file));
export const webSources = filesIn('web', '.ts', '.tsx');
const clientSources = filesIn('clients', '.ts');
const others = ['test', 'bench', 'chaos', 'simulate', 'site', 'scripts'].flatMap((folder) =>
  filesIn(folder, '.ts'),
);
export const everything = [...service, ...others, ...clientSources, ...webSources];

export function offenders(files: SourceFile[], isOffending: (file: SourceFile) => boolean): string[] {
  return files.filter(isOffending).map(({ path }) => path);
}

/** Everything that a file imports from this repository: values and types, static and dynamic. */
export function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^'?]+)/g)].map((match) =>
    join(dirname(path), match[1] ?? ''),
  );
}

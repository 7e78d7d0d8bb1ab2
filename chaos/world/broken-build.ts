import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ourSources } from './world.ts';

/** One change to the source that breaks a promise. */
export interface Breakage {
  readonly file: string;
  /** Must occur in the file exactly once. When the code moves, move this with it. */
  readonly from: string;
  readonly to: string;
}

const serviceParts = ['src', 'migrations', 'package.json'];

/** A copy of the service with an error in it, so that production code needs no hooks. */
export function buildBroken(dir: string, breakages: readonly Breakage[], parts = serviceParts): string {
  mkdirSync(dir, { recursive: true });
  for (const part of parts) cpSync(join(ourSources, part), join(dir, part), { recursive: true });
  symlinkSync(join(ourSources, 'node_modules'), join(dir, 'node_modules'));
  for (const [file, text] of brokenFiles(breakages)) writeFileSync(join(dir, file), text);
  return dir;
}

/** The files that change, as they are afterwards. */
export function brokenFiles(breakages: readonly Breakage[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { file, from, to } of breakages) {
    const parts = (files.get(file) ?? readFileSync(join(ourSources, file), 'utf8')).split(from);
    if (parts.length !== 2) {
      throw new Error(
        `${file} contains the text below ${parts.length - 1} times instead of once. Has the code moved?\n${from}`,
      );
    }
    files.set(file, parts.join(to));
  }
  return files;
}

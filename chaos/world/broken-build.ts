import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ourSources } from './world.ts';

/** One change of the source that breaks a promise. */
export interface Breakage {
  readonly file: string;
  /** Must stand in the file exactly once: when the code moves, this must move with it. */
  readonly from: string;
  readonly to: string;
}

const serviceParts = ['src', 'migrations', 'package.json'];

/** A copy of the service with a fault in it; the production code needs no hooks for that. */
export function buildBroken(dir: string, breakages: readonly Breakage[], parts = serviceParts): string {
  mkdirSync(dir, { recursive: true });
  for (const part of parts) cpSync(join(ourSources, part), join(dir, part), { recursive: true });
  symlinkSync(join(ourSources, 'node_modules'), join(dir, 'node_modules'));
  for (const { file, from, to } of breakages) {
    const path = join(dir, file);
    const parts = readFileSync(path, 'utf8').split(from);
    if (parts.length !== 2) {
      throw new Error(
        `${file} holds the text below ${parts.length - 1} times instead of once. Where has it gone?\n${from}`,
      );
    }
    writeFileSync(path, parts.join(to));
  }
  return dir;
}

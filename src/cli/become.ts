import { extname, join } from 'node:path';

/** The other programs of this package and their Node flags; package.json has the same for npm. */
export const programs = {
  start: { flags: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'], path: 'src/main' },
  demo: { flags: [], path: 'src/demo/main' },
} as const;

// The compiled files have the same layout as the sources.
const root = join(import.meta.dirname, '../..');
const extension = extname(import.meta.filename);

/** Replaces this process with the other program, so that signals and exit codes are its own. */
export async function become(name: keyof typeof programs): Promise<void> {
  const { flags, path } = programs[name];
  const file = join(root, path + extension);
  // Where a process cannot be replaced, the program runs inside this one, without its flags.
  if (process.execve === undefined) await import(file);
  else process.execve(process.execPath, [process.execPath, ...flags, file]);
}

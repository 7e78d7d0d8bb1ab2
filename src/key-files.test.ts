import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scratchFolder } from '../test/support/scratch.ts';
import { keyCharactersMin, keyFile } from './key-files.ts';

const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true }));

test.runIf(process.platform === 'linux')(
  'a disk that was full at the first start leaves no empty key behind',
  () => {
    const script = `import { keyFile } from ${JSON.stringify(join(import.meta.dirname, 'key-files.ts'))};
    keyFile(${JSON.stringify(folder)}, 'operator.key');`;
    // A limit for files stands for a full disk, because anyone may set it.
    const words = [
      '-c',
      'ulimit -f 0; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ];
    expect(spawnSync('sh', words, { encoding: 'utf8', env: {} }).stderr).toContain(
      'ConfigError: DATA_DIR: cannot use',
    );
    expect(keyFile(folder, 'operator.key').length).toBeGreaterThanOrEqual(keyCharactersMin);
  },
);

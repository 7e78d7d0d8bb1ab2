import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignIn } from './people.ts';
import type { Stage } from './stage.ts';

/** What later starts of the demo need. Its credentials are stored nowhere else. */
export interface SavedDemo {
  readonly signIn: SignIn;
  readonly stages: readonly Stage[];
}

export function savedDemoPath(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

export function loadDemo(dataDir: string): SavedDemo | null {
  try {
    return JSON.parse(readFileSync(savedDemoPath(dataDir), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function saveDemo(dataDir: string, demo: SavedDemo): void {
  writeFileSync(savedDemoPath(dataDir), JSON.stringify(demo), { mode: 0o600 });
}

import { stripVTControlCharacters } from 'node:util';
import type { Config } from '../../config.ts';
import {
  firstStartCredentials,
  firstStartPath,
  type ReservedFirstStart,
  renewedFirstStart,
  reserveFirstStart,
  writeFirstStart,
} from '../../telemetry/first-start.ts';
import { type FirstThings, firstThings, greeting, isSeenByPerson, say } from '../../telemetry/terminal.ts';
import { hasRole } from '../roles.ts';
import type { Ready } from '../run.ts';

const fileHead = [
  'Leadgate, first start. This file contains secrets. Once you have an account, Leadgate deletes it. Until then, each start',
  'without a terminal puts a new link in it.',
];
const starterHead = 'With the file, Leadgate ends the token and the secret if nobody has used them by then.';

/** Says that the service is ready. Secrets are shown only in a terminal; otherwise they go to a private file. */
export async function welcome(ready: Ready): Promise<void> {
  const { config, service, first } = ready;
  // The starter comes last: its credentials cannot be shown again, so nothing that can fail comes after it.
  const setupLink = hasRole(config, 'manage') ? await first.createSetupLink() : null;
  const wantsStarter = config.role === 'all' && (await first.wantsStarter());
  const lines = wantsStarter
    ? await withStarter(ready, setupLink)
    : further(config, service.url, { starter: null, setupLink });
  say(greeting(config, service.url, lines));
}

async function withStarter({ config, service, first }: Ready, setupLink: string | null): Promise<string[]> {
  const { dataDir } = config;
  const things = async () => ({ starter: await first.createStarter(), setupLink });
  if (isSeenByPerson()) return further(config, service.url, await things());
  let file: ReservedFirstStart;
  try {
    file = reserveFirstStart(dataDir);
  } catch (error) {
    return unwritten(dataDir, error as Error);
  }
  const made = await things().catch((error) => {
    file.drop();
    throw error;
  });
  // Another instance was faster.
  if (made.starter === null) {
    file.drop();
    return further(config, service.url, made);
  }
  try {
    file.fill(fileText(config, service.url, made));
    return written(dataDir);
  } catch (error) {
    return unwritten(dataDir, error as Error);
  }
}

function further(config: Config, url: string, things: FirstThings): string[] {
  if (things.starter === null && things.setupLink === null) return [];
  return isSeenByPerson() ? firstThings(config, url, things) : kept(config, url, things);
}

function kept(config: Config, url: string, things: FirstThings): string[] {
  const { dataDir } = config;
  const { setupLink } = things;
  try {
    const renewed = setupLink === null ? null : renewedFirstStart(dataDir, setupLink);
    writeFirstStart(dataDir, renewed ?? fileText(config, url, things));
    return written(dataDir);
  } catch (error) {
    return unwritten(dataDir, error as Error);
  }
}

function fileText(config: Config, url: string, things: FirstThings): string {
  const head = things.starter === null ? fileHead : [...fileHead, starterHead];
  return stripVTControlCharacters([...head, '', ...firstThings(config, url, things)].join('\n'));
}

function unwritten(dataDir: string, { message }: Error): string[] {
  return [
    `Could not write the link that creates your account to ${firstStartPath(dataDir)}:`,
    `${message}. Fix this and start again, or start in a terminal.`,
    '',
  ];
}

/** A later start cannot add credentials to a file that was deleted, or never written because there was a terminal. */
function written(dataDir: string): string[] {
  const link = 'The link that creates your account';
  const hasCommands = firstStartCredentials(dataDir) !== null;
  return [
    hasCommands ? `${link}, and commands that send a first lead, are in` : `${link} is in`,
    firstStartPath(dataDir),
    'It contains secrets, so they are not shown here. The file is deleted once you have an account.',
    '',
  ];
}

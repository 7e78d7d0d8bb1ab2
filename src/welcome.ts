import { stripVTControlCharacters } from 'node:util';
import type { Config } from './config.ts';
import { isManaging, type Ready } from './run.ts';
import {
  firstStartPath,
  hasFirstStartFile,
  renewedFirstStart,
  writeFirstStart,
} from './telemetry/first-start.ts';
import { type FirstThings, firstThings, greeting, isSeenByPerson, say } from './telemetry/terminal.ts';

const fileHead = [
  'Leadgate, first start. This file holds secrets: delete it once you have an account.',
  'Until there is one, each start puts a new link into it.',
  '',
];

/** Says that the service is ready. Secrets are shown in a terminal only; otherwise they go into a private file. */
export async function welcome({ config, service }: Ready): Promise<void> {
  // The starter comes last: its credentials cannot be had again, so nothing that may fail comes after it.
  const setupLink = isManaging(config) ? await service.createSetupLink() : null;
  const starter = config.role === 'all' ? await service.createStarter() : null;
  say(greeting(config, service.url, further(config, service.url, { starter, setupLink })));
}

function further(config: Config, url: string, things: FirstThings): string[] {
  const isSetUp = things.starter === null && things.setupLink === null;
  if (isSetUp) return isManaging(config) ? reminder(config) : [];
  return isSeenByPerson() ? firstThings(config, url, things) : kept(config, url, things);
}

function kept(config: Config, url: string, things: FirstThings): string[] {
  const { dataDir } = config;
  const { setupLink, starter } = things;
  try {
    const renewed = starter === null && setupLink !== null ? renewedFirstStart(dataDir, setupLink) : null;
    const written = [...fileHead, ...firstThings(config, url, things)].join('\n');
    writeFirstStart(dataDir, renewed ?? stripVTControlCharacters(written));
  } catch (error) {
    return [
      `The link that makes your account could not be written to ${firstStartPath(dataDir)}:`,
      `${(error as Error).message}. Fix this and start again, or start in a terminal.`,
      '',
    ];
  }
  return [
    'The link that makes your account, and commands that send a first lead, are in',
    firstStartPath(dataDir),
    'They are secrets, so they are not shown here. Delete the file once you have an account.',
    '',
  ];
}

function reminder({ dataDir }: Config): string[] {
  return hasFirstStartFile(dataDir)
    ? [`Delete ${firstStartPath(dataDir)}: it holds secrets, and you have an account.`, '']
    : [];
}

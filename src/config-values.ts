import { z } from 'zod';
import { keyCharactersMin } from './key-files.ts';

/** What variables of the configuration can be. */
export const processRoles = ['all', 'ingest', 'manage', 'enrich', 'deliver'] as const;
export type ProcessRole = (typeof processRoles)[number];

export const deliverNetworks = ['off', 'public'] as const;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const switches = ['on', 'off'] as const;

export const secretText = z
  .string()
  .min(keyCharactersMin, `must have ${keyCharactersMin} characters or more`)
  .optional();
export const port = z.coerce.number('must be a port number').int().min(0).max(65_535);
export const bytes = z.coerce.number('must be a number of bytes').int().min(0);

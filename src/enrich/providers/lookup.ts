import type { LookupProvider } from '../provider.ts';
import { mx } from './mx.ts';
import { site } from './site.ts';

/** Those that are the same for every workspace. The external one is made from each owner's settings. */
export const publicProviders: readonly LookupProvider[] = [mx, site];

import { mx } from './mail/mx.ts';
import type { LookupProvider } from './provider.ts';
import { site } from './site/site.ts';

/** Those that are the same for every workspace. The external one is made from each owner's settings. */
export const publicProviders: readonly LookupProvider[] = [mx, site];

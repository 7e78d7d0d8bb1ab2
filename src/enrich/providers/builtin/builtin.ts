import type { BuiltinProvider } from '../provider.ts';
import { attribution } from './attribution.ts';
import { country } from './country.ts';
import { emailDomain } from './email-domain.ts';
import { name } from './name.ts';
import { phone } from './phone.ts';
import { title } from './title.ts';
import { typed } from './typed.ts';

export const builtinProviders: readonly BuiltinProvider[] = [
  typed,
  emailDomain,
  phone,
  country,
  title,
  attribution,
  name,
];

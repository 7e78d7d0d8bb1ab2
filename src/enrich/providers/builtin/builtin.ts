import type { ProviderReport } from '../../../domain/enrichment/view.ts';
import type { Input } from '../../reading/input.ts';
import { type BuiltinProvider, fitFields, type Said } from '../provider.ts';
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

export interface BuiltinFindings {
  readonly said: readonly Said[];
  readonly reports: readonly ProviderReport[];
}

/** Everything that follows from the lead alone. If a provider throws, only its fields are missing. */
export function runBuiltin(
  input: Input,
  onFault: (provider: string, error: unknown) => void,
): BuiltinFindings {
  const said: Said[] = [];
  const reports: ProviderReport[] = [];
  for (const provider of builtinProviders) {
    const before = said.length;
    const { id, phase, version } = provider;
    try {
      for (const { path, value, confidence, method } of fitFields(provider.enrich(input)))
        said.push({ path, value, confidence, method, provider: id });
      reports.push({ id, phase, version, outcome: said.length > before ? 'found' : 'none' });
    } catch (error) {
      onFault(id, error);
      reports.push({ id, phase, version, outcome: 'fail', why: 'fault' });
    }
  }
  return { said, reports };
}

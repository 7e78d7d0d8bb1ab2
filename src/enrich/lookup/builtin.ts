import { enrichmentField } from '../../domain/enrichment/fields.ts';
import { fitValue } from '../../domain/enrichment/value.ts';
import type { ProviderReport } from '../../domain/enrichment/view.ts';
import type { Said } from '../jobs/merge.ts';
import { builtinProviders } from '../providers/builtin/builtin.ts';
import type { FieldValue } from '../providers/provider.ts';
import type { Input } from '../reading/input.ts';

export interface BuiltinFindings {
  readonly said: readonly Said[];
  readonly reports: readonly ProviderReport[];
}

/** Everything that follows from the lead alone. A provider that throws costs only what it would have said. */
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

/** Only fields of the table, only values of their types. */
export function fitFields(fields: readonly FieldValue[]): FieldValue[] {
  const fit: FieldValue[] = [];
  for (const field of fields) {
    const declared = enrichmentField(field.path);
    const value = declared === null ? null : fitValue(declared.type, field.value);
    if (value !== null) fit.push(value === field.value ? field : { ...field, value });
  }
  return fit;
}

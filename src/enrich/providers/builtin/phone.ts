import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import type { BuiltinProvider, FieldValue } from '../provider.ts';

export const phone: BuiltinProvider = {
  id: 'phone',
  version: providerVersions.phone,
  phase: 'builtin',
  text: 'Phone number in international format, its country and type. A national number needs a country.',
  enrich({ phone: read }) {
    if (read === null) return [];
    const { number, confidence } = read;
    const fields: FieldValue[] = [
      { path: 'phone.e164', value: number.number, confidence, method: 'normalised' },
      { path: 'phone.national', value: number.formatNational(), confidence, method: 'normalised' },
    ];
    if (number.country !== undefined)
      fields.push({ path: 'phone.country', value: number.country, confidence, method: 'derived' });
    const type = number.getType();
    if (type !== undefined)
      fields.push({ path: 'phone.type', value: type.toLowerCase(), confidence, method: 'derived' });
    return fields;
  },
};

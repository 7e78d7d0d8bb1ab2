import type { Form } from '../../../../../src/contract/forms/form.ts';
import { declaredKeys } from '../../draft/known-fields.ts';
import { emptyRow, type MappingDraftRow } from '../../draft/mapping.ts';

/** Properties that every HubSpot account has. */
export const commonProperties = [
  { name: 'email', label: 'Email' },
  { name: 'firstname', label: 'First name' },
  { name: 'lastname', label: 'Last name' },
  { name: 'phone', label: 'Phone number' },
  { name: 'company', label: 'Company name' },
  { name: 'jobtitle', label: 'Job title' },
  { name: 'website', label: 'Website URL' },
  { name: 'address', label: 'Street address' },
  { name: 'city', label: 'City' },
  { name: 'zip', label: 'Postal code' },
  { name: 'state', label: 'State or region' },
  { name: 'country', label: 'Country or region' },
  { name: 'message', label: 'Message' },
] as const;

/** Those that most forms ask for, with the keys that their fields usually have. */
const usual = [
  { to: 'firstname', label: 'First name', keys: ['first_name', 'firstname', 'given_name'] },
  { to: 'lastname', label: 'Last name', keys: ['last_name', 'lastname', 'family_name', 'surname'] },
  { to: 'phone', label: 'Phone', keys: ['phone', 'phone_number', 'telephone', 'tel', 'mobile'] },
  { to: 'company', label: 'Company', keys: ['company', 'company_name', 'organisation', 'organization'] },
] as const;

/** Rows to add with a click: usual properties that have none yet, from the field that a form declares for them. */
export function suggestedRows(
  mapping: readonly MappingDraftRow[],
  forms: readonly Form[],
): { label: string; row: MappingDraftRow }[] {
  const declared = declaredKeys(forms);
  const isMapped = (to: string) => mapping.some((row) => (row.to === '' ? row.from : row.to) === to);
  return usual
    .filter(({ to }) => !isMapped(to))
    .map(({ to, label, keys }) => {
      const known = declared.find((key) => keys.some((one) => one === key.toLowerCase()));
      return { label, row: { ...emptyRow, from: known ?? keys[0], to } };
    });
}

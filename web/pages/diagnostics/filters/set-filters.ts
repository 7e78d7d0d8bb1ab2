import { surfaceNames } from '../../../parts/text/surface-name.ts';
import type { DiagnosticsSearch } from '../../../search.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { useNames } from '../names.ts';
import { severityWord } from '../severity.tsx';

export interface SetFilter {
  readonly name: string;
  readonly value: string;
  /** What the URL has without it. */
  readonly without: DiagnosticsSearch;
}

/** Every filter that is set, in words. An ID of something that no longer exists is shown as it is. */
export function useSetFilters(): readonly SetFilter[] {
  const { search, reasons } = useDiagnosticsSearch();
  const names = useNames();
  const { severity, form_id, token_id, surface, request_id } = search;
  const set = (name: string, value: string | undefined, without: DiagnosticsSearch): SetFilter[] =>
    value === undefined ? [] : [{ name, value, without }];
  return [
    ...reasons.map((value) => {
      const others = reasons.filter((reason) => reason !== value);
      return { name: 'Reason', value, without: { reason: others.join(',') || undefined } };
    }),
    ...set('Severity', severity && severityWord(severity), { severity: undefined }),
    ...set('Form', form_id && (names.get(form_id) ?? form_id), { form_id: undefined }),
    ...set('Token', token_id && (names.get(token_id) ?? token_id), { token_id: undefined }),
    ...set('Surface', surface && surfaceName(surface), { surface: undefined }),
    ...set('Request', request_id, { request_id: undefined }),
  ];
}

function surfaceName(surface: string): string {
  return (surfaceNames as Readonly<Record<string, string>>)[surface] ?? surface;
}

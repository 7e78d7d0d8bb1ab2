import { type RangeName, ranges } from './parts/charts/time-range.ts';

/**
 * The query parameters of each page. The API validates filters, so any text is passed on; values that only the page reads
 * are dropped if it does not know them.
 */
type Given = Readonly<Record<string, unknown>>;
type Text = string | undefined;

const text = (value: unknown): Text => (typeof value === 'string' ? value : undefined);
const oneOf = <Known extends string>(value: unknown, ...known: readonly Known[]): Known | undefined =>
  known.find((each) => each === value);
const rangeName = (value: unknown) => oneOf(value, ...ranges.map((range) => range.value));

export interface SignInSearch {
  /** Where to go afterwards. */
  readonly to?: Text;
}

export const signInSearch = (given: Given): SignInSearch => ({ to: text(given.to) });

export interface OverviewSearch {
  readonly range?: RangeName | undefined;
}

export const overviewSearch = (given: Given): OverviewSearch => ({ range: rangeName(given.range) });

/** `field.<key>` filters by the value of a field. */
export type FieldFilterName = `field.${string}`;
export const isFieldFilterName = (name: string): name is FieldFilterName => name.startsWith('field.');

export interface LeadSearch {
  readonly form_id?: Text;
  readonly verdict?: Text;
  readonly mark?: Text;
  readonly surface?: Text;
  readonly q?: Text;
  readonly range?: RangeName | undefined;
  readonly from?: Text;
  readonly to?: Text;
  /** Conditions, as JSON. */
  readonly where?: Text;
  readonly sort?: Text;
  readonly order?: Text;
  /** A saved view. Its own filters apply, unless `edited` says that those of the URL do. */
  readonly view?: Text;
  readonly edited?: Text;
  readonly [name: FieldFilterName]: Text;
}

export const leadSearch = (given: Given): LeadSearch => ({
  ...(given as LeadSearch),
  range: rangeName(given.range),
});

export interface TokenSearch {
  /** Includes revoked and expired tokens. */
  readonly show?: 'all' | undefined;
}

export const tokenSearch = (given: Given): TokenSearch => ({ show: oneOf(given.show, 'all') });

export interface DiagnosticsSearch {
  readonly form_id?: Text;
  readonly token_id?: Text;
  readonly surface?: Text;
  readonly request_id?: Text;
  /** The rejection in the drawer. */
  readonly request?: Text;
  /** One or several, separated by commas. */
  readonly reason?: Text;
  readonly severity?: Text;
  readonly range?: RangeName | undefined;
  readonly from?: Text;
  readonly to?: Text;
  readonly tab?: 'limited' | undefined;
  readonly group_by?: 'sender' | undefined;
  /** Shown unless it is 0. */
  readonly accepted?: '0' | undefined;
}

export const diagnosticsSearch = (given: Given): DiagnosticsSearch => ({
  form_id: text(given.form_id),
  token_id: text(given.token_id),
  surface: text(given.surface),
  request_id: text(given.request_id),
  request: text(given.request),
  reason: text(given.reason),
  severity: text(given.severity),
  range: rangeName(given.range),
  from: text(given.from),
  to: text(given.to),
  tab: oneOf(given.tab, 'limited'),
  group_by: oneOf(given.group_by, 'sender'),
  accepted: oneOf(given.accepted, '0'),
});

export interface HeldSearch {
  readonly reason?: Text;
  readonly form_id?: Text;
  readonly class?: Text;
  readonly state?: Text;
  /** A selection that is being decided, whose progress is shown. */
  readonly decision?: Text;
}

export const heldSearch = (given: Given): HeldSearch => ({
  reason: text(given.reason),
  form_id: text(given.form_id),
  class: text(given.class),
  state: text(given.state),
  decision: text(given.decision),
});

export interface AlarmSearch {
  /** Open ones if it is left out. */
  readonly state?: 'closed' | 'all' | undefined;
  readonly kind?: Text;
  readonly form_id?: Text;
}

export const alarmSearch = (given: Given): AlarmSearch => ({
  state: oneOf(given.state, 'closed', 'all'),
  kind: text(given.kind),
  form_id: text(given.form_id),
});

/** Filters of an audit log. */
export interface AuditSearch {
  readonly actor?: Text;
  readonly action?: Text;
  readonly from?: Text;
  readonly to?: Text;
}

export const auditSearch = (given: Given): AuditSearch => ({
  actor: text(given.actor),
  action: text(given.action),
  from: text(given.from),
  to: text(given.to),
});

export interface DeliverySearch {
  readonly destination_id?: Text;
  readonly state?: Text;
  readonly submission_id?: Text;
  readonly from?: Text;
  readonly to?: Text;
  /** Deliveries that are being sent again, whose progress is shown. */
  readonly replay?: Text;
}

export const deliverySearch = (given: Given): DeliverySearch => ({
  destination_id: text(given.destination_id),
  state: text(given.state),
  submission_id: text(given.submission_id),
  from: text(given.from),
  to: text(given.to),
  replay: text(given.replay),
});

export interface DebuggerSearch {
  readonly form?: Text;
  readonly rejection?: Text;
  readonly mode?: 'whole' | 'parts' | undefined;
}

export const debuggerSearch = (given: Given): DebuggerSearch => ({
  form: text(given.form),
  rejection: text(given.rejection),
  mode: oneOf(given.mode, 'whole', 'parts'),
});

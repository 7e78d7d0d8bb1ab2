/** What the doctor found, and how to fix it if it is not ok. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'fault';
  readonly text: string;
  readonly fix: string | null;
}

export function ok(check: string, text: string): Finding {
  return { check, status: 'ok', text, fix: null };
}

export function warning(check: string, text: string, fix: string): Finding {
  return { check, status: 'warning', text, fix };
}

export function fault(check: string, text: string, fix: string): Finding {
  return { check, status: 'fault', text, fix };
}

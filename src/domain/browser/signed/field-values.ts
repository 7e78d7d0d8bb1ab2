/** How the fields of tokens and challenges are written. Each value has one spelling. */

export function numberField(value: number): Buffer {
  return Buffer.from(String(value));
}

/** Null for anything but a whole number up to 2^53 in decimal digits. */
export function readNumber(field: Buffer | undefined): number | null {
  const text = field?.toString('latin1') ?? '';
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}

export function uuidField(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

export function readUuid(field: Buffer | undefined): string | null {
  if (field?.length !== 16) return null;
  const hex = field.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

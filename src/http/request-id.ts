import { randomBytes } from 'node:crypto';

// Version 8 of UUIDs leaves its bits to us: 74 random ones per process, then a counter.
const processPart = randomBytes(9).toString('hex');
const prefix = `${processPart.slice(0, 8)}-${processPart.slice(8, 12)}-8${processPart.slice(12, 15)}-8${processPart.slice(15, 18)}-`;
const counterDigits = 12;
let counter = 0;

/** Unique, but no secret: it only helps to find a request again, so it need not cost randomness. */
export function nextRequestId(): string {
  counter++;
  return prefix + counter.toString(16).padStart(counterDigits, '0');
}
